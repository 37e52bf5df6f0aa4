"""deploy/install and deploy/firetop as modules: they are programs without an ending in their names."""

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType

from tests.services.stack import ROOT


def load(name: str) -> ModuleType:
    loader = SourceFileLoader(f"deploy_{name}", str(ROOT / "deploy" / name))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[loader.name] = module
    was, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    loader.exec_module(module)
    sys.dont_write_bytecode = was
    return module


installer, firetop = load("install"), load("firetop")
