"""Reads what forerun writes about a run."""
import json
import os


def report(path):
    """Returns the contents of a JSON report, or of findings.json if PATH is a run folder."""
    if os.path.isdir(path):
        path = os.path.join(path, "findings.json")
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def findings(path):
    return report(path)["findings"]


def shown(path):
    """Returns the confirmed findings that a report shows."""
    return [f for f in findings(path) if f["verdict"] == "confirmed" and not f.get("folded")]
