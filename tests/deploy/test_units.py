"""The unit for systemd and the file for compose: they fit each other, and what there is."""

import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import processes, programs
from tests.deploy.conftest import DEPLOY, ROOT
from yachtdice.cli.commands.serve import serve
from yachtdice.web.edge.security import SECRET_VARIABLE

UNIT = DEPLOY / "systemd" / "yacht@.service"
HIGHEST_EXPOSURE = 2.0
"""Of 10, as `systemd-analyze security` counts."""


def options_of(words: list[str]) -> set[str]:
    """Return the options among *words*, all of which `yacht serve` has to know."""
    found = {word.partition("=")[0] for word in words if word.startswith("--")}
    known = {name for parameter in serve.params for name in parameter.opts}
    assert found <= known
    return found


def test_the_unit_starts_a_server_as_it_wants_to_be_started() -> None:
    text = UNIT.read_text("utf-8").replace("\\\n", " ")
    command = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)
    assert command
    program, *words = command[1].split()
    assert (program, words[0]) == ("/opt/yacht/bin/yacht", "serve")
    assert {"--port", "--secret-file", "--proxies", "--metrics"} <= options_of(words)


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    """Return the unit for one port, with a program that is there."""
    program = tmp_path / "yacht"
    program.write_text("#!/bin/sh\n", "ascii")
    program.chmod(stat.S_IRWXU)
    text = UNIT.read_text("utf-8").replace("/opt/yacht/bin/yacht", str(program))
    unit = tmp_path / "yacht@8765.service"
    unit.write_text(text, "utf-8")
    return unit


def test_systemd_understands_the_unit(instance: Path) -> None:
    done = processes.run(
        [programs.need("systemd-analyze"), "verify", str(instance)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_shuts_out_what_a_server_does_not_need(instance: Path) -> None:
    done = processes.run(
        [
            *(programs.need("systemd-analyze"), "security", "--offline=true", "--no-pager"),
            *(f"--threshold={HIGHEST_EXPOSURE * 10:.0f}", str(instance)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr


@pytest.fixture
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def test_compose_has_two_servers_where_nginx_looks_for_them(compose: dict[str, Any]) -> None:
    services = compose["services"]
    addresses = {
        name: service["networks"]["inside"]["ipv4_address"] for name, service in services.items()
    }
    upstream = (DEPLOY / "nginx" / "upstream-compose.conf").read_text("utf-8")
    servers = [name for name in services if name.startswith("yacht-")]
    assert re.findall(r"server ([\d.]+):8765", upstream) == [addresses[name] for name in servers]
    assert len(servers) == 2
    for name in servers:
        service = services[name]
        options_of(service["command"])
        assert f"--proxies={addresses['nginx']}" in service["command"]
        environment = service["environment"]
        assert SECRET_VARIABLE in environment
        assert f"@{addresses['database']}/" in environment["YACHT_DATABASE"]
        assert not service.get("ports")  # only nginx is to be reached


def test_what_compose_mounts_and_builds_from_is_there(compose: dict[str, Any]) -> None:
    services = compose["services"]
    made_by_the_operator = {"./tls"}
    for mount in services["nginx"]["volumes"]:
        source = mount.partition(":")[0]
        assert source in made_by_the_operator or (DEPLOY / source).is_file()
    build = services["yacht-1"]["build"]
    assert (DEPLOY / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).is_file()


def test_the_image_is_made_of_files_that_it_is_given() -> None:
    steps = (DEPLOY / "Containerfile").read_text("utf-8")
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text("utf-8").splitlines()
    copied = [
        name
        for words in re.findall(r"^COPY ([^-].*)$", steps, re.MULTILINE)
        for name in words.split()[:-1]
    ]
    assert copied
    for name in copied:
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored
    parts = re.search(r"tools/locked\.py ([a-z ]+) >", steps)
    assert parts
    assert {"base", "build", "web", "postgres"} == set(parts[1].split())


def test_both_ways_are_told() -> None:
    text = (DEPLOY / "README.md").read_text("utf-8")
    for path in DEPLOY.rglob("*"):
        if path.is_file() and path.suffix in {".conf", ".service", ".yaml"}:
            assert os.path.relpath(path, ROOT) in text
