from ringdoku.links.compression import decompress
from ringdoku.links.fpuzzles import read_fpuzzles
from ringdoku.links.shared import Shared


def read_link(text: str) -> Shared:
    return read_fpuzzles(decompress(text.split("load=")[1]))
