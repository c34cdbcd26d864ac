"""From a table's data to the files on a board: lamp table, wiring data, application, volume image."""

from taisai.build.application import application_files
from taisai.build.hardware import hardware_json
from taisai.build.tablebin import table_bin
from taisai.build.volume import volume_files, volume_image

__all__ = ["application_files", "hardware_json", "table_bin", "volume_files", "volume_image"]
