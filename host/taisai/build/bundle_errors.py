"""What can be wrong with a bundle: one class for each, so that callers and reports can tell them apart."""

from taisai.errors import TaisaiError


class BundleError(TaisaiError):
    """Any of the below; the text names the bundle."""


class NotABundle(BundleError):
    """Another kind of file."""


class BundleTruncated(BundleError):
    """The file begins as a bundle and has no end."""


class BundleManifestBad(BundleError):
    """The manifest cannot be used: unreadable, of another format, or at odds with the files it lists."""


class BundleFileMissing(BundleError):
    """A file of the manifest is not there."""


class BundleFileExtra(BundleError):
    """A file is there that the manifest does not list."""


class BundleFileAltered(BundleError):
    """A file is not the one that the manifest lists."""


class BundleRepacked(BundleError):
    """The right files, in a container that this product did not write."""


class BundleSignatureWrong(BundleError):
    """The signature does not fit the manifest: one of the two was altered."""


class BundleUnsigned(BundleError):
    """No signature where one is demanded."""


class BundleForeignKey(BundleError):
    """Signed, and by a key that is not trusted here."""


class BundleForOtherTable(BundleError):
    """A good bundle of another table."""
