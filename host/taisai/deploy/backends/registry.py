"""The ways of writing, in the order in which they are tried."""

from taisai.deploy.backends import ampy, esptool, mpremote, uf2
from taisai.deploy.backends.base import Backend, Job, Target
from taisai.deploy.errors import Unfit

BACKENDS: tuple[Backend, ...] = (mpremote, uf2, esptool, ampy)


def choose(target: Target, job: Job) -> Backend:
    """The first way that fits, or the one that the user named; Unfit tells of each why it does not."""
    known = [backend.NAME for backend in BACKENDS]
    if job.named is not None and job.named not in known:
        raise Unfit(f"there is no backend {job.named}: there are {', '.join(known)}")
    reasons = []
    for backend in BACKENDS:
        if job.named in (None, backend.NAME):
            reason = backend.fits(target, job)
            if reason is None:
                return backend
            reasons.append(f"  {backend.NAME}: {reason}")
    raise Unfit("\n".join([f"{target.where} ({target.text}) cannot be written:", *reasons]))
