"""What a page may ask for: one JSON object per message, checked before anything is done with it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from taisai.sim.contacts import MAX_BOUNCE_MS

KeyName = Literal["1", "2", "3", "4", "5", "6", "E"]
# No word of a page is longer; a fault word names a zone or a bit.
Word = Annotated[str, Field(min_length=1, max_length=80)]


class Action(BaseModel):
    """Base of every message."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Key(Action):
    """A finger goes down on a key or leaves it, `at` so many ms by the page's own clock."""

    do: Literal["key"]
    key: KeyName
    down: bool
    at: Annotated[float, Field(ge=0, le=1e12)]


class Switch(Action):
    """The key-switch is turned."""

    do: Literal["switch"]
    on: bool


class Power(Action):
    """Mains on or off, at this moment."""

    do: Literal["power"]
    on: bool


class Reset(Action):
    """The chip's reset pin."""

    do: Literal["reset"]


class Fault(Action):
    """A fault word of the simulator, without the `fault:` of scripts."""

    do: Literal["fault"]
    word: Word


class Bounce(Action):
    """How long contacts bounce from now on, in ms."""

    do: Literal["bounce"]
    ms: Annotated[int, Field(ge=0, le=MAX_BOUNCE_MS)]


class SlowFlash(Action):
    """The next so many operations of the flash take 400 ms each."""

    do: Literal["slow-flash"]
    operations: Annotated[int, Field(ge=1, le=1000)]


class Spin(Action):
    """Throw the money wheel, so far that it turns so many revolutions; `end` is one of the simulator's wheel."""

    do: Literal["spin"]
    revolutions: Annotated[float, Field(gt=0, le=100)]
    way: Literal["clockwise", "anticlockwise"]
    end: Literal["free", "peg", "stop", "push"]


class Table(Action):
    """Another table, as new."""

    do: Literal["table"]
    table: Word


class Watch(Action):
    """This page wants to see the bench: the chain's bits, the link and the journal."""

    do: Literal["watch"]
    on: bool


_ANY = TypeAdapter(
    Annotated[
        Key | Switch | Power | Reset | Fault | Bounce | SlowFlash | Spin | Table | Watch, Field(discriminator="do")
    ]
)


def parse(text: str) -> Action:
    """The action that a message asks for. ValueError with one sentence when it is none."""
    try:
        return _ANY.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "message"
        raise ValueError(f"{place}: {first['msg']}") from None
