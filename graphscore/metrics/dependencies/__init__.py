"""Metrics of dependency trees and enhanced graphs."""

METRICS = {
    "blex": "blex:Blex",
    "clas": "clas:Clas",
    "elas": "elas:Elas",
    "eulas": "eulas:Eulas",
    "las": "las:Las",
    "mlas": "mlas:Mlas",
    "segmentation": "segmentation:Segmentation",
    "tagging": "tagging:Tagging",
    "uas": "uas:Uas",
}
"""Metrics of this family by name: module and class."""
