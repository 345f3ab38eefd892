"""Load one module with a change, in every process that a test of `just mutants` starts."""

import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType


class MutantLoader(SourceFileLoader):
    """Loads the module from its own place, with the code of another file."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, _name: str) -> CodeType:
        code = Path(os.environ["FELTWORK_MUTANT_CODE"]).read_bytes()
        return compile(code, self.path, "exec", dont_inherit=True)


if "FELTWORK_MUTANT_MODULE" in os.environ:
    _module, _path = os.environ["FELTWORK_MUTANT_MODULE"], os.environ["FELTWORK_MUTANT_PATH"]
    sys.meta_path.insert(0, MutantLoader(_module, _path))
