"""Metrics of dependency trees and enhanced graphs."""

METRICS = {
    "blex": "attachment:Blex",
    "clas": "attachment:Clas",
    "elas": "enhanced:Elas",
    "eulas": "enhanced:Eulas",
    "las": "attachment:Las",
    "mlas": "attachment:Mlas",
    "segmentation": "segmentation:Segmentation",
    "tagging": "tagging:Tagging",
    "uas": "attachment:Uas",
    "udeval": "udeval:Udeval",
}
"""Metrics of this family by name: module and class."""
