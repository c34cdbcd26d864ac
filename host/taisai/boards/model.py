"""What the models of all data files share, and the form in which checks between their values say what is wrong."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Volt = Annotated[float, Field(gt=0, le=60)]
Milliamp = Annotated[float, Field(gt=0, le=100_000)]

# (key, value, text) of each thing that is wrong.
Found = list[tuple[str, object, str]]


class StrictModel(BaseModel):
    """No value is converted, no key is guessed, nothing changes after the check."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")
