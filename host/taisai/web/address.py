"""Where pages are served: this computer's loopback unless somebody says otherwise."""

import re
from dataclasses import dataclass
from ipaddress import ip_address

from taisai.errors import TaisaiError, shown

DEFAULT_HOST = "127.0.0.1"
_LAST_PORT = 65535
# A name or an address, of IPv6 too, perhaps with the interface that it belongs to.
_HOST = re.compile(r"[A-Za-z0-9._:-]{1,253}(%[A-Za-z0-9._-]+)?")
_NUMBER = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True)
class Address:
    """A host of this computer and a TCP port; port 0: a free one."""

    host: str
    port: int

    @property
    def loopback(self) -> bool:
        """Nobody but this computer can reach it."""
        return is_loopback(self.host)

    def url(self, port: int, token: str | None) -> str:
        """What is typed into a browser, once it is known which port it became."""
        return f"http://{_with_port(self.host, port)}/" + (f"?token={token}" if token else "")

    def __str__(self) -> str:
        return _with_port(self.host, self.port)


def parse_address(text: str, port: int) -> Address:
    """`HOST`, `HOST:PORT` or `[IPV6]:PORT`; without a port it is `port`. TaisaiError when it is neither."""
    host, colon, number = ("", "", "") if text.endswith("]") else text.rpartition(":")
    if not colon:
        host, number = text, str(port)
    host = host.removeprefix("[").removesuffix("]")
    if not _HOST.fullmatch(host) or not _NUMBER.fullmatch(number) or int(number) > _LAST_PORT:
        raise TaisaiError(
            f"--address {shown(text)} is no address: use HOST or HOST:PORT, for example {DEFAULT_HOST}:{port}"
        )
    return Address(host, int(number))


def _with_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """A name or address that means this computer alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
