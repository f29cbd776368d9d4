"""Metrics of role fillers and templates."""

METRICS = {
    "ceaf_ree": "ceaf_ree:CeafRee",
    "ceaf_rme": "ceaf_rme:CeafRme",
    "granular": "granular:Granular",
    "gtt": "gtt:Gtt",
    "muc4": "muc4:Muc4",
    "rolefillers": "rolefillers:RoleFillers",
}
"""Metrics of this family by name: module and class."""
