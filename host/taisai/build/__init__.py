"""From a table's data to the files on a board: lamp table, wiring data, application, volume image."""

from taisai.build.application import application_files
from taisai.build.volume import volume_files, volume_image

__all__ = ["application_files", "volume_files", "volume_image"]
