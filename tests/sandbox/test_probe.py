"""The levels, by real attempts, and by machines that lack something."""

from __future__ import annotations

import json
import os
import tempfile
import time
from dataclasses import replace

import psutil
import pytest

from harness.sandbox import landlock, libc
from harness.sandbox.confinement import Layers
from harness.sandbox.probe import FULL, STANDARD, WEAK, probe

LEVEL = probe().level

needs_full = pytest.mark.skipif(LEVEL != FULL, reason=f"this machine's level is {LEVEL}")


def test_the_report_is_plain_data() -> None:
    report = probe()
    again = json.loads(json.dumps(report.to_json()))
    assert again["level"] == report.level
    assert {finding["layer"] for finding in again["findings"]} >= {
        "namespaces",
        "landlock",
        "seccomp",
        "user",
        "together",
    }
    for finding in report.findings:
        assert finding.detail
        assert finding.ok or finding.advice or finding.layer == "together", finding


def test_it_is_quick_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = open("/proc/self/mountinfo", encoding="utf-8").read()  # noqa: SIM115
    children = psutil.Process().children()
    with tempfile.TemporaryDirectory() as folder:  # other tests have scratch folders as well
        os.chmod(folder, 0o755)  # every bot's user must get there
        monkeypatch.setattr(tempfile, "tempdir", folder)
        started = time.perf_counter()
        probe()
        assert time.perf_counter() - started < 1  # about 0.05 s on an idle machine
        assert os.listdir(folder) == []
    assert open("/proc/self/mountinfo", encoding="utf-8").read() == mounts  # noqa: SIM115
    assert psutil.Process().children() == children


@needs_full
@pytest.mark.parametrize("call", ["unshare", "pivot_root", "mount_setattr", "open_tree"])
def test_standard_without_namespaces(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(libc.NUMBER, call)
    report = probe()
    assert replace(report.layers, user=True) == Layers(namespaces=False)
    assert report.level == STANDARD
    finding = next(finding for finding in report.findings if finding.layer == "namespaces")
    assert not finding.ok
    assert call in finding.detail
    assert finding.advice


@needs_full
@pytest.mark.parametrize(
    ("call", "layer"), [("landlock_restrict_self", "landlock"), ("seccomp", "seccomp")]
)
def test_weak_without_landlock_or_seccomp(
    call: str, layer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(libc.NUMBER, call)
    landlock.abi.cache_clear()
    report = probe()
    landlock.abi.cache_clear()
    assert report.level == WEAK
    assert not getattr(report.layers, layer)
    assert report.layers.namespaces  # what there is, is used
    finding = next(finding for finding in report.findings if finding.layer == layer)
    assert not finding.ok
    assert finding.advice
    together = next(finding for finding in report.findings if finding.layer == "together")
    assert together.ok, together


@needs_full
def test_a_machine_without_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    for call in ("landlock_create_ruleset", "seccomp", "unshare"):
        monkeypatch.delitem(libc.NUMBER, call)
    landlock.abi.cache_clear()
    report = probe()
    landlock.abi.cache_clear()
    assert report.level == WEAK
    nothing = Layers(namespaces=False, landlock=False, seccomp=False)
    assert replace(report.layers, user=True) == nothing
    for finding in report.findings:
        if finding.layer in ("namespaces", "landlock", "seccomp"):
            assert not finding.ok, finding


@needs_full
def test_a_seccomp_that_forbids_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """By effect: a layer that can be applied and does nothing is no layer."""
    monkeypatch.setattr("harness.sandbox.seccomp.install", lambda policy, pid: None)
    report = probe()
    assert report.level == WEAK
    finding = next(finding for finding in report.findings if finding.layer == "seccomp")
    assert "did not prevent: make a socket" in finding.detail


@needs_full
def test_a_landlock_that_forbids_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.sandbox.landlock.restrict", lambda rules, opened=None: None)
    report = probe()
    assert report.level == WEAK
    finding = next(finding for finding in report.findings if finding.layer == "landlock")
    assert "did not prevent: read a file" in finding.detail
