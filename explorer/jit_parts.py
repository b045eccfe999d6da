"""Compiled functions in two forms: entries, which Python calls, and parts, which only other compiled functions use.

numba optimises every function, turns it into machine code, and does both again for each function that calls it, because
the caller contains it. Here a part stays as it was lowered: optimised and turned into machine code once in every entry
that contains it. That takes two thirds of the time, and less than half for growing alone.

This uses parts of numba that are not public; decision 12 names them, and how a new version of numba is checked.
"""

from __future__ import annotations

import hashlib
import pickle
import time
import uuid
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import binding
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.environment import Environment, lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack
from numba.core.types import unliteral

from explorer.as_written import runs_as_written

FEW, LONG = 2_000, 0.3
"""Numbers up to which a call runs as written; seconds that a function may take so in all, then it is compiled."""
_ENVIRONMENT = "_ZN08NumbaEnv"
"""What numba's names of a function's constants begin with."""
_DAMAGED = (
    OSError, EOFError, pickle.UnpicklingError, ImportError, AttributeError, LookupError, TypeError, ValueError,
    ArithmeticError, MemoryError,
)  # fmt: skip
"""What reading a file raises that cannot be read, or was changed after it was written."""
_UNROLLED = ("grow_subtree",)
"""Entries whose loops are unrolled: fractional rows are grown in three quarters of the time. Others wait for memory."""


class _NoAddresses:
    """In place of the code generator of a part: it has no address at which an environment could be written."""

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: `EntryLibrary` sets the environments of its parts."""


class PartLibrary(JITCodeLibrary):
    """A function that waits, without machine code, to be linked into those that call it."""

    codegen = _NoAddresses()

    def _optimize_functions(self, module):
        """Only what makes it shorter: entries are optimised as a whole, and this is half of what numba does here."""
        module.data_layout = self._codegen._data_layout
        builder = binding.create_pass_builder(self._codegen._tm, binding.create_pipeline_tuning_options(1))
        passes = binding.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self):
        """Leave that to the entries."""

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name):
        """None: there is no machine code."""
        return 0

    def serialize_using_object_code(self):
        """Its name and its code for linking."""
        return self.name, self._get_module_for_linking().as_bitcode()

    @classmethod
    def of_bitcode(cls, codegen, name, bitcode):
        """What `serialize_using_object_code` gave."""
        library = cls(codegen, name)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library


class EntryLibrary(JITCodeLibrary):
    """What Python calls, with all its parts."""

    called = ""
    """The name of the part that is called."""

    def _optimize_functions(self, module):
        """Leave that to `_optimize_final_module`."""
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self):
        # Nothing else calls this copy of the parts. Told so, LLVM hands on only those fields of a record that are read,
        # and takes a part that is called once into its caller: a quarter of the time where nodes are small.
        for function in self._final_module.functions:
            if function.linkage == binding.Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = "external" if function.name == self.called else "internal"
        # As numba does, but for unrolling: it doubles the code and takes a quarter of LLVM's time.
        codegen = self._codegen
        cheap, builder = codegen._module_pass_manager(opt=0, loop_vectorize=False, slp_vectorize=False, cost="cheap")
        cheap.run(self._final_module, builder)
        options = binding.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization, options.slp_vectorization = True, False
        options.loop_unrolling = self.name in _UNROLLED
        builder = binding.create_pass_builder(codegen._tm, options)
        passes = builder.getModulePassManager()
        passes.add_refprune_pass()
        passes.run(self._final_module, builder)

    def _finalize_final_module(self):
        super()._finalize_final_module()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT) and not variable.is_declaration:
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)

    def serialize_using_object_code(self):
        """Its machine code, and in place of its code for linking, which is its part's, no more than the names in it.

        numba keeps that code in memory: 100 MB for all entries.
        """
        offered = [f.name for f in self.get_defined_functions() if f.linkage != binding.Linkage.internal]
        names = binding.parse_assembly("\n".join(f'define void @"{name}"() {{ ret void }}' for name in offered))
        return self.name, "object", (self._get_compiled_object(), names.as_bitcode())


class PartCompiler(CompilerBase):
    """Compile a part by numba's pipeline, up to code for linking."""

    def define_pipelines(self):
        """numba's, with a library of our own."""
        state = self.state
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return [DefaultPassBuilder.define_nopython_pipeline(state)]

    def compile_extra(self, func):
        """Compile; what numba has for NumPy's functions, and compiles beside it, are parts too."""
        codegen = self.state.targetctx.codegen()
        before, codegen._library_class = codegen._library_class, PartLibrary
        try:
            return super().compile_extra(func)
        finally:
            codegen._library_class = before


class EntryCompiler(CompilerBase):
    """Compile an entry: the same function's part, and around it what Python calls."""

    def __init__(self, part: Part, *state: Any) -> None:
        super().__init__(*state)
        self._part = part

    def compile_extra(self, func):
        """Take the part, from disk if it is there: no line of the function is compiled twice."""
        context, arguments = self.state.targetctx, tuple(self.state.args)
        self._part.compile(arguments)
        part = self._part.overloads[arguments]
        description = copy(part.fndesc)
        description.env_name += "-entry"  # what is put into it here is not on disk beside the part
        environment = Environment.from_fndesc(description)
        library = EntryLibrary(context.codegen(), part.library.name)
        library.called = description.llvm_func_name
        library.enable_object_caching()
        library.add_linking_library(part.library)
        with ConfigStack().enter(self.state.flags.copy()):
            context.create_cpython_wrapper(library, description, environment, None, release_gil=True)
        return part._replace(
            library=library,
            fndesc=description,
            environment=environment,
            entry_point=context.get_executable(library, description, environment),
            metadata=self.state.metadata,
        )


class CacheFiles:
    """Compiled code on disk, a file for each key, which several processes may read and write at once.

    numba's own index of a function's files is read, changed and written again, and two processes can mix them up.
    """

    def __init__(self, folder: str, base: str, stamp: object) -> None:
        self._folder, self._base, self._stamp = Path(folder), base, stamp

    def _path_and_text(self, key: object) -> tuple[Path, str]:
        """The file of a key, and the text in it that tells it from another key with the same name."""
        text = repr((numba.__version__, self._stamp, key))
        return self._folder / f"{self._base}.{hashlib.sha256(text.encode()).hexdigest()[:20]}.nbc", text

    def load(self, key: object) -> Any:
        """The data under a key; None if there are none, and where the file is damaged or cannot be read."""
        path, text = self._path_and_text(key)
        try:
            text_of_file, data = pickle.loads(path.read_bytes())
        except _DAMAGED:
            return None
        return data if text_of_file == text else None

    def save(self, key: object, data: Any) -> None:
        """Keep data under a key: whole or not at all."""
        path, text = self._path_and_text(key)
        draft = path.with_name(f"{path.name}.{uuid.uuid4().hex[:12]}")
        try:
            draft.write_bytes(numba.core.serialize.dumps((text, data)))
            draft.replace(path)
        except OSError:
            draft.unlink(missing_ok=True)
            raise

    def flush(self) -> None:
        """Forget everything."""
        for path in self._folder.glob(f"{self._base}.*.nbc"):
            path.unlink(missing_ok=True)


class _PartImpl(CompileResultCacheImpl):
    def get_filename_base(self, fullname, abiflags):
        return super().get_filename_base(f"{fullname}-part", abiflags)

    def rebuild(self, target_context, payload):
        """A part from disk, as `CompileResult._rebuild` does for a function with machine code."""
        (name, bitcode), fndesc, environment, signature, objectmode, lifted, annotation, reload_init, _ = payload
        library = PartLibrary.of_bitcode(target_context.codegen(), name, bitcode)
        return CompileResult(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            environment=environment,
            entry_point=target_context.get_executable(library, fndesc, environment),
            fndesc=fndesc,
            type_annotation=annotation,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            typing_error=None,
            call_helper=None,
            metadata=None,
            reload_init=reload_init,
            referenced_envs=[],
        )


class _EntryCache(FunctionCache):
    def __init__(self, py_func):
        super().__init__(py_func)
        implementation = self._impl
        stamp = implementation.locator.get_source_stamp()
        self._cache_file = CacheFiles(self._cache_path, implementation.filename_base, stamp)


class _PartCache(_EntryCache):
    _impl_class: Any = _PartImpl


class Part(CPUDispatcher):
    """A function that only compiled functions call."""

    def __init__(self, py_func, locals=None, targetoptions=None, pipeline_class=PartCompiler):
        options = {**(targetoptions or {}), "no_cpython_wrapper": True}
        super().__init__(py_func, locals, options, pipeline_class)

    def enable_caching(self):
        """Keep compiled code on disk."""
        self._cache = _PartCache(self.py_func)

    def get_call_template(self, args, kws):
        """The types of a call: a number that is written in a call is any number, not a function of its own."""
        return super().get_call_template(tuple(map(unliteral, args)), {name: unliteral(kws[name]) for name in kws})

    def __call__(self, *args):
        """What a call by Python runs, by an entry that runs as written: there is no machine code."""
        return self.py_func(*args)


class Entry(CPUDispatcher):
    """A function that Python calls: compiled, or as written within `run_as_written`.

    Compiled functions that call it take it as a part.
    """

    _seconds = 0.0

    def __init__(self, py_func, locals=None, targetoptions=None):
        self.part = Part(py_func, locals, targetoptions)
        super().__init__(py_func, locals, targetoptions, partial(EntryCompiler, self.part))

    def enable_caching(self):
        """Keep compiled code on disk."""
        self._cache = _EntryCache(self.py_func)
        self.part.enable_caching()

    def get_call_template(self, args, kws):
        """The types of a call by another compiled function."""
        return self.part.get_call_template(args, kws)

    def get_overload(self, sig):
        """What another compiled function calls."""
        return self.part.get_overload(sig)

    def _compile_for_args(self, *args, **kws):
        """What a call runs that finds nothing compiled for its types."""
        if runs_as_written() and self._seconds < LONG and _count(args) <= FEW:
            return self._as_written
        return super()._compile_for_args(*args, **kws)

    def _as_written(self, *arguments):
        """With NumPy's numbers, which wrap around and divide by zero as compiled code does: without an error."""
        start = time.perf_counter()
        try:
            with np.errstate(all="ignore"):
                return self.py_func(
                    *(np.asarray(each)[()] if type(each) in (int, float) else each for each in arguments)
                )
        finally:
            self._seconds += time.perf_counter() - start


def _count(argument: Any) -> int:
    """How many numbers there are in an argument: a number, an array, or a record or tuple of them."""
    return sum(map(_count, argument)) if isinstance(argument, tuple) else getattr(argument, "size", 1)
