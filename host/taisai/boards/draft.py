"""What is sound in a data file that is not: so that one run also finds what is wrong between its good values.

`draft(model, data)` is an instance of the model in which every value that pydantic would refuse, and every missing one,
is None; of a list each item by itself. Only checks may use it; a loader hands out whole instances only.
"""

from typing import Annotated, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from taisai.boards.tomlfile import frozen

ModelT = TypeVar("ModelT", bound=BaseModel)

_STRICT = ConfigDict(strict=True)


def draft(model: type[ModelT], data: object) -> ModelT:
    """The model's instance with None for what is missing or bad; unknown keys are left out."""
    stated = data if isinstance(data, dict) else {}
    values = {name: _value(field, stated.get(name)) for name, field in model.model_fields.items()}
    return model.model_construct(_fields_set=set(stated) & set(values), **values)


def _value(field: FieldInfo, stated: object) -> object:
    if stated is None:
        return None if field.is_required() else field.get_default()
    part = _model_for(field, stated)
    if part is not None:
        return draft(part, stated)
    kind = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
    return _sound(kind, frozen(stated))


def _sound(kind: object, stated: object) -> object:
    """The value as pydantic takes it, or None; of a list the items that are sound, each bad one None."""
    try:
        return TypeAdapter(kind, config=_STRICT).validate_python(stated)
    except ValidationError:
        item = _item_kind(kind)
        return tuple(_sound(item, one) for one in stated) if item and isinstance(stated, tuple) else None


def _item_kind(kind: object) -> object:
    """What `tuple[KIND, ...]` holds; None for every other annotation."""
    if get_origin(kind) is Annotated:
        return _item_kind(get_args(kind)[0])
    return get_args(kind)[0] if get_origin(kind) is tuple and get_args(kind)[1:] == (...,) else None


def _model_for(field: FieldInfo, stated: object) -> type[BaseModel] | None:
    """The model of a table of keys: the only one the field allows, or the one that the table's discriminator names."""
    kinds = _alternatives(field.annotation)
    models = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
    if field.discriminator is None or not isinstance(stated, dict):
        return models[0] if models else None
    name = stated.get(field.discriminator)
    named = [kind for kind in models if name in get_args(kind.model_fields[field.discriminator].annotation)]
    return (named or models)[0]


def _alternatives(annotation: object) -> tuple:
    if get_origin(annotation) is Annotated:
        return _alternatives(get_args(annotation)[0])
    return get_args(annotation) or (annotation,)
