"""Where pages are served: this computer's loopback unless somebody says otherwise."""

from dataclasses import dataclass
from ipaddress import ip_address

from taisai.errors import TaisaiError, shown

DEFAULT_HOST = "127.0.0.1"
_LAST_PORT = 65535


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
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{port}/" + (f"?token={token}" if token else "")

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def parse_address(text: str, port: int) -> Address:
    """`HOST`, `HOST:PORT` or `[IPV6]:PORT`; without a port it is `port`. TaisaiError when it is neither."""
    host, colon, number = ("", "", "") if text.endswith("]") else text.rpartition(":")
    if not colon:
        host, number = text, str(port)
    if not host or not (number.isascii() and number.isdecimal()) or len(number) > 5 or int(number) > _LAST_PORT:
        raise TaisaiError(
            f"--address {shown(text)} is no address: use HOST or HOST:PORT, for example {DEFAULT_HOST}:{port}"
        )
    return Address(host.strip("[]"), int(number))


def is_loopback(host: str) -> bool:
    """A name or address that means this computer alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
