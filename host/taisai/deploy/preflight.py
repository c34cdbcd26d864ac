"""What is checked before a byte is written: each refusal is one sentence, with the option if the user may decide."""

import json
from collections.abc import Collection
from dataclasses import dataclass

from taisai.build.bundle import Bundle, require_key
from taisai.build.bundle_errors import BundleForeignKey, BundleUnsigned
from taisai.build.images import OLDEST_MICROPYTHON
from taisai.client.servicekeys import ServiceKeys
from taisai.deploy.errors import Unfit
from taisai.deploy.installer import Facts
from taisai.deploy.plan import Plan

# What sys.platform says on the ports of MicroPython; "linux" is the virtual board, which can be either.
_PORTS = {"rp2": "rp2040", "esp32": "esp32"}
# What sys.implementation._machine ends with on the one chip of a port that is meant; others have other pins.
_CHIPS = {"rp2040": "RP2040", "esp32": "ESP32"}
_VIRTUAL = "linux"


@dataclass(frozen=True)
class Policy:
    """What the user has decided by options. `keys`: raw public keys that are trusted. `service_keys`: for boards that
    want a service session before they go into service mode.
    """

    keys: Collection[bytes] = ()
    allow_unsigned: bool = False
    change_table: bool = False
    discard_records: bool = False
    service_keys: ServiceKeys | None = None


def check_signature(bundle: Bundle, policy: Policy, name: str) -> str:
    """Words about who signed the bundle; BundleUnsigned or BundleForeignKey, with the option that would allow it."""
    if bundle.signature is None and policy.allow_unsigned:
        return "not signed; allowed by --allow-unsigned"
    try:
        require_key(bundle, policy.keys, name)
    except BundleUnsigned as error:
        raise BundleUnsigned(f"{error}; or say --allow-unsigned to trust this file as it is") from error
    except BundleForeignKey as error:
        raise BundleForeignKey(f"{error}; name the signer's public key with --key FILE if you trust it") from error
    return f"signed with key {bundle.signature.key.hex()[:16]}"


def check_chip(chip: str, bundle: Bundle, name: str) -> None:
    """`chip`: as the firmware names it, rp2040 or esp32."""
    wanted = bundle.manifest["mcu"]
    if chip != wanted:
        raise Unfit(f"{name}: the board has the chip {chip}, and the bundle is for {wanted}: use the board's own table")


def check_board(facts: Facts, bundle: Bundle, name: str) -> None:
    """The chip and its MicroPython, as MicroPython names them."""
    if facts.platform != _VIRTUAL:
        check_chip(_PORTS.get(facts.platform, facts.platform), bundle, name)
        wanted = _CHIPS[bundle.manifest["mcu"]]
        if facts.machine.rpartition(" with ")[2] != wanted:
            raise Unfit(f"{name}: the board is a {facts.machine}, and the bundle is for the {wanted}")
    if facts.version < OLDEST_MICROPYTHON:
        has, needs = (".".join(map(str, version)) for version in (facts.version, OLDEST_MICROPYTHON))
        raise Unfit(f"{name}: the board has MicroPython {has}, and the firmware needs {needs}: update it first")
    if facts.mpy != bundle.manifest["mpy"]:
        raise Unfit(
            f"{name}: the board's MicroPython loads .mpy files of version {facts.mpy}, and the bundle has version "
            f"{bundle.manifest['mpy']}: use a MicroPython or a bundle that fits"
        )


def check_table(table: str | None, bundle: Bundle, policy: Policy, name: str) -> None:
    """A board keeps its table: another one has other wiring. `table`: what the board is now, None if not known."""
    if table is not None and table != bundle.table and not policy.change_table:
        raise Unfit(
            f"{name}: this board is a {table}, and the bundle is for {bundle.table}, whose wiring differs: "
            "use the bundle of its table, or say --change-table if the electronics were changed"
        )


def check_space(facts: Facts, plan: Plan, name: str) -> None:
    """The new version has to fit beside the one that runs."""
    if plan.blocks > facts.free:
        free, needed = (blocks * facts.block // 1024 for blocks in (facts.free, plan.blocks))
        raise Unfit(
            f"{name}: the volume has {free} KiB free and the new version needs {needed} KiB beside the old one: "
            f"remove files that are not the table's ({facts.data // 1024} KiB lie in /data), then run this again"
        )


def check_records(facts: Facts, policy: Policy, name: str) -> None:
    """A full image overwrites the volume, the journal included."""
    if facts.records and not policy.discard_records:
        raise Unfit(
            f"{name}: a full image would destroy the records on this board ({facts.records} bytes of journal): export "
            "them first and then say --discard-records, or flash without --full-image, which keeps them"
        )


def table_on_board(raw: bytes) -> str | None:
    """The table that a manifest found on a board names; None when it cannot be read."""
    try:
        table = json.loads(raw).get("table")
    except (ValueError, AttributeError):
        return None
    return table if isinstance(table, str) else None
