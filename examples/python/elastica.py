"""elastica in Python: soft slender bodies as Cosserat rods.

    import elastica as ea
    world = ea.World()
    rod = world.add_rod(element_count=50, direction=(1, 0, 0), length=1.0, radius=0.01, density=1000.0, youngs_modulus=1e7)
    world.add_boundary(rod)
    world.add_gravity((0, 0, -9.81))
    world.advance(1.0)
    print("tip at z = %g m" % rod.position[2, -1])

Every function of elastica.h is here. A function that takes a world, a rod, an effect or another handle first is a method of World, Rod,
Effect, ...; it has the name of the C function without "elastica_" and the name of its class. Fields of a definition are keyword arguments
and have the defaults of the header. Results are objects with the fields of the C struct. A status other than OK is an exception that
carries the sentence of the library (but see Stopped). Lanes such as rod.position are numpy arrays on the memory of the library, without a
copy: read-only, with one row per component, of the present state after each step. Functions and hooks are Python functions: they get the
input parameters and return the outputs.

The declarations come from elastica.h (interface.json, made by interface.py when the library is built); nothing is repeated here.
"""

import collections
import ctypes
import json
import operator
import os
import re
import sys
import threading
import weakref

import cffi
import numpy as np

_folder = os.path.dirname(os.path.abspath(__file__))


def _find(variable, names):
    """The path of a file: from an environment variable, or beside this module."""
    if os.environ.get(variable):
        return os.environ[variable]
    for name in names:
        if os.path.exists(os.path.join(_folder, name)):
            return os.path.join(_folder, name)
    raise ImportError("elastica: %s is not beside elastica.py, and %s is not set; build the target python" % (names[0], variable))


with open(_find("ELASTICA_INTERFACE", ["interface.json"]), encoding="utf-8") as _file:
    _interface = json.load(_file)
ffi = cffi.FFI()
ffi.cdef(_interface["declarations"])
lib = ffi.dlopen(_find("ELASTICA_LIBRARY", ["libelastica_python.so", "libelastica_python.dylib", "elastica_python.dll"]))
_lanes = _interface["lanes"]
_extents = _interface["extents"]


def version():
    """The version of the library, "major.minor.patch"."""
    return ffi.string(lib.elastica_version()).decode()


if version() != "%d.%d.%d" % (lib.ELASTICA_VERSION_MAJOR, lib.ELASTICA_VERSION_MINOR, lib.ELASTICA_VERSION_PATCH):
    raise ImportError("elastica: the library has version %s, its declarations another one" % version())


# ---- Status and exceptions ----


class Error(RuntimeError):
    """A refused call or a failure. status: its name; result: what the call wrote, or None."""

    def __init__(self, status, message, result=None):
        super().__init__(message)
        self.status = status
        self.result = result


def _exceptions():
    """One subclass of Error per status: InvalidArgument, UnstableStep, ..."""
    base = {"INVALID_ARGUMENT": (ValueError,), "OUT_OF_MEMORY": (MemoryError,), "IO_ERROR": (OSError,)}
    found = {}
    for value, text in ffi.typeof("elastica_status").elements.items():
        status = text[len("ELASTICA_"):]
        if value:
            name = "".join(word.capitalize() for word in status.split("_"))
            found[value] = type(name, (Error,) + base.get(status, ()), {"__doc__": "The status %s of elastica.h." % status})
    return found


_errors = _exceptions()
globals().update({kind.__name__: kind for kind in _errors.values()})
_kept = threading.local()  # the exception that left a function of the user


def _raise(status, message, result=None):
    """Raises the exception of a status, with an exception of the user's own function as its cause."""
    cause = getattr(_kept, "exception", None)
    _kept.exception = None
    if status == lib.ELASTICA_OK and cause is None:
        return
    if status == lib.ELASTICA_OK:  # of a hook that has no status
        raise CallbackFailed("CALLBACK_FAILED", "a function of the caller raised %r; the call went on" % cause, result) from cause
    text = ffi.string(lib.elastica_status_text(status)).decode()
    raise _errors[status](text, message or text, result) from cause


# ---- Memory ----


class _Core:
    """A world of the C library. It lives until the last object and array that shows its memory is gone. A block that the world gives back
    while arrays show its memory is kept until they are gone, so that an old array has old numbers but never a wrong address."""

    def __init__(self):
        self.pointer = None
        self.shown = 0
        self.retired = []
        self.lock = threading.Lock()
        self.children = {}  # functions that close writers, modes, paths and budgets, by their addresses
        self.alive = []  # Python functions and names that the world calls and reads
        self.kept = {}  # those of the last setting of an effect

    def allocate(self, _user, size):
        return ffi.cast("void *", _libc.malloc(size) or 0)

    def release(self, _user, block):
        address = int(ffi.cast("uintptr_t", block))
        with self.lock:
            if self.shown:
                self.retired.append(address)
                return
        _libc.free(address)

    def show(self, change):
        with self.lock:
            self.shown += change
            blocks, self.retired = (self.retired, []) if not self.shown else ([], self.retired)
        for address in blocks:
            _libc.free(address)

    def close(self, pointer):
        """Closes a child unless it is closed. Returns the status."""
        closer = self.children.pop(int(ffi.cast("uintptr_t", pointer)), None)
        status = closer(pointer) if closer else None
        return lib.ELASTICA_OK if status is None else status

    def close_all(self):
        """Closes all children. Returns the first status that is not OK."""
        found = [self.close(ffi.cast("void *", address)) for address in list(self.children)]
        return next((status for status in found if status != lib.ELASTICA_OK), lib.ELASTICA_OK)

    def __del__(self):  # also in a cycle of garbage, where a child may come later
        if self.pointer:
            self.close_all()
            lib.elastica_world_destroy(self.pointer)


_libc = ctypes.CDLL(None)
_libc.malloc.restype, _libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
_libc.free.restype, _libc.free.argtypes = None, [ctypes.c_void_p]


class _Memory:
    """Memory of a world in the words of numpy; arrays keep it, and it keeps the world."""

    def __init__(self, core, address, shape, strides, is_writable):
        self.core = core
        self.__array_interface__ = {"version": 3, "typestr": "=f8".replace("=", "<" if sys.byteorder == "little" else ">"), "shape": shape,
                                    "strides": strides, "data": (address, not is_writable)}
        core.show(1)

    def __del__(self):
        self.core.show(-1)


def _addresses(field):
    """Addresses of the lanes in a field: double *, double *[3] or double *[3][3]; its shape without the last index."""
    kind = ffi.typeof(field)
    if kind.kind == "pointer":
        return [int(ffi.cast("uintptr_t", field))], ()
    found, shape = [], (kind.length,)
    for part in field:
        addresses, inner = _addresses(part)
        found += addresses
    return found, shape + inner


def _array(core, field, count, is_writable=False):
    """The lanes of a field as one array without a copy; None where the library has none."""
    addresses, shape = _addresses(field)
    if not all(addresses):
        return None
    distance = addresses[1] - addresses[0] if len(addresses) > 1 else 0
    if any(b - a != distance for a, b in zip(addresses, addresses[1:])):
        raise RuntimeError("elastica: the lanes of this field have no common distance in memory")
    strides = (distance * 3, distance)[2 - len(shape):] + (8,) if shape else (8,)
    return np.asarray(_Memory(core, addresses[0], shape + (count,), strides, is_writable))


# ---- Arguments ----


def _names(kind):
    """The names of an enumeration by number, without what they have in common: {0: "SPHERE", 1: "CAPSULE", ...}"""
    common = os.path.commonprefix(list(kind.elements.values()))
    return {number: text[common.rfind("_") + 1:] for number, text in kind.elements.items()}


def _constant(kind, value):
    """A value of an enumeration: a number, or a name with or without its prefix."""
    if not isinstance(value, str):
        return operator.index(value)
    for number, text in _names(kind).items():
        if value.upper() in (text, kind.elements[number]):
            return number
    raise ValueError("%r is none of %s" % (value, ", ".join(_names(kind).values())))


def _numbers(value, name, count=None, kind="double"):
    """A C array of the numbers of any sequence, and what must stay alive with it."""
    array = np.ascontiguousarray(value, dtype=np.float64 if kind == "double" else None).reshape(-1)
    if kind == "int":
        whole = array.astype(np.intc)
        if array.size and not (np.issubdtype(array.dtype, np.integer) and np.array_equal(whole, array)):
            raise TypeError("%s needs integers, not %s" % (name, array.dtype))
        array = whole
    if count is not None and array.size != count:
        raise ValueError("%s has %d numbers; it needs %d" % (name, array.size, count))
    return ffi.cast(kind + " *", array.ctypes.data), array


def _along(value, name):
    """Arrays [3, count] or [3, 3, count], as lanes are, in the order along the rod; others as they are."""
    array = np.asarray(value)
    if array.ndim < 2 or array.shape[:-1] not in ((3,), (3, 3)):
        return value
    if array.shape[-1] == 3:
        raise ValueError("%s has the shape %r: the order is not clear; give it flat, along the rod" % (name, array.shape))
    return np.moveaxis(array, -1, 0)


def _text(value, name):
    """A C string of a text or path."""
    text = os.fsencode(value)
    if b"\0" in text:
        raise ValueError("%s has a text with a zero byte" % name)
    return ffi.new("char[]", text)


# The number of values that a definition reads through each pointer. n, nodes, joints: of the rod; else fields of the definition.
_sizes = {
    "elastica_rod_def": {"position": "3*nodes", "velocity": "3*nodes", "director": "9*n", "omega": "3*n", "rest_length": "n",
                         "rest_curvature": "3*joints", "rest_strain": "3*n", "element_radius": "n", "element_density": "n",
                         "element_youngs_modulus": "n", "element_shear_modulus": "n", "element_shear_factor": "n",
                         "shear_stiffness": "3*n", "bend_stiffness": "3*n", "inertia": "3*n"},
    "elastica_axial_viscosity_def": {"element_viscosity": "n"},
    "elastica_muscle_def": {"amplitude": "n if kind == FORCE else joints"},
    "elastica_contraction_def": {"share": "last % n - first % n + 1"},
    "elastica_cmaes_def": {name: "dimension" for name in ("start", "scale", "lower", "upper")},
}
# Pointers whose count is a field of its own: (field, numbers for each).
_counted = {
    "elastica_muscle_def": {"control": ("control_count", 1)},
    "elastica_obstacle_def": {"points": ("point_count", 3), "radii": ("point_count", 1), "triangles": ("triangle_count", 3)},
    "elastica_tendon_def": {"guides": ("guide_count", 1)},
}


def _sizes_of(struct, name, rod):
    """The names that the sizes of a definition use."""
    values = {"FORCE": lib.ELASTICA_MUSCLE_FORCE}
    if name == "elastica_rod_def":
        n, closed = struct.element_count, struct.closed
    elif rod is not None:
        n, closed = rod.element_count, rod.closed
    else:
        n, closed = 0, 0
    values.update(n=n, nodes=n if closed else n + 1, joints=n if closed else n - 1)
    for field, _ in ffi.typeof(name).fields:
        if isinstance(getattr(struct, field), int):
            values[field] = getattr(struct, field)
    return values


def _fill(struct, name, values, alive, world, rod=None):
    """Writes keyword arguments into a C struct."""
    fields = dict(ffi.typeof(name).fields)
    known = [field for field in fields if field not in ("struct_size", "user", "message", "message_size", "allocate", "release",
                                                        "allocator_user", "owner", "run_tasks", "tasks_user", "surface_user")]
    pointers = []
    for field, value in values.items():
        if field not in known:
            raise TypeError("%s has no field %r; it has %s" % (name, field, ", ".join(known)))
        kind = fields[field].type
        if value is None:
            continue
        if kind.kind == "enum":
            setattr(struct, field, _constant(kind, value))
        elif kind.kind == "primitive":
            setattr(struct, field, float(value) if kind.cname == "double" else operator.index(value))
        elif kind.kind == "array":
            array = np.asarray(value, dtype=float).reshape(-1)
            if array.size != kind.length:
                raise ValueError("%s has %d numbers; it needs %d" % (field, array.size, kind.length))
            for index, number in enumerate(array):
                getattr(struct, field)[index] = number
        elif kind.kind == "struct":
            _fill(getattr(struct, field), kind.cname, _fields_of(value, field, kind.cname), alive, world)
        else:
            pointers.append((field, value, kind))
    for field, value, kind in pointers:  # their sizes need the other fields
        item = kind.item if kind.kind == "pointer" else None
        if kind.kind == "function":
            function = _callback(kind, name + "." + field, value, world)
            alive.append(function)
            setattr(struct, field, function)
        elif item.cname in _handles:
            if not isinstance(value, _handles[item.cname]):
                raise TypeError("%s needs a %s, not %r" % (field, _handles[item.cname].__name__, value))
            setattr(struct, field, value._pointer)
        elif item.kind == "struct":  # a list of structs
            items = ffi.new("%s[]" % item.cname, len(value))
            for part, entry in zip(items, value):
                _fill(part, item.cname, _fields_of(entry, field, item.cname), alive, world)
            alive.append(items)
            setattr(struct, field, items)
            setattr(struct, _counted[name][field][0], len(value))
        elif item.cname == "char":
            alive.append(_text(value, field))
            setattr(struct, field, alive[-1])
        else:
            count = None
            if field in _sizes.get(name, {}):
                if rod is None and name not in ("elastica_rod_def", "elastica_cmaes_def"):
                    raise TypeError("%s needs a rod: its size depends on it" % field)
                count = eval(_sizes[name][field], {}, _sizes_of(struct, name, rod))  # of the constant table above
            pointer, array = _numbers(_along(value, field) if field in _sizes.get(name, {}) else value, field, count, item.cname)
            if field in _counted.get(name, {}):
                counter, each = _counted[name][field]
                if array.size % each:
                    raise ValueError("%s has %d numbers, no multiple of %d" % (field, array.size, each))
                if counter in values and int(values[counter]) * each != array.size:
                    raise ValueError("%s has %d numbers; it needs %d" % (field, array.size, int(values[counter]) * each))
                previous = getattr(struct, counter)
                if previous and previous != array.size // each:
                    raise ValueError("%s has %d numbers; it needs %d" % (field, array.size, previous * each))
                setattr(struct, counter, array.size // each)
            alive.append(array)
            setattr(struct, field, pointer)


def _fields_of(value, field, name):
    if not isinstance(value, dict):
        raise TypeError("%s needs a dict with fields of %s, not %r" % (field, name, value))
    return value


def _definition(name, values, alive, world, rod=None):
    struct = ffi.new(name + " *")
    getattr(lib, name + "_init")(struct, ffi.sizeof(name))
    _fill(struct[0], name, values, alive, world, rod)
    return struct


# ---- Functions of the user ----


def _callback(kind, name, function, world):
    """A C function that calls a Python function with its inputs and writes what it returns to its outputs."""
    if not callable(function):
        raise TypeError("%s needs a function" % name.split(".")[-1])
    signature = kind
    sizes = _extents.get(name, [0] * len(signature.args))
    written = [index for index, argument in enumerate(signature.args)
               if argument.kind == "pointer" and argument.item.cname == "double" and not _is_const(name, index)]
    results = {"void": None, "double": float("nan")}
    failed = lib.ELASTICA_CALLBACK_FAILED if signature.result.kind == "enum" else results.get(signature.result.cname, 0)

    def call(*arguments):
        inputs, view = [], None
        try:
            for index, (argument, value) in enumerate(zip(signature.args, arguments)):
                if index in written or (index == 0 and argument.cname == "void *"):
                    continue
                if argument.kind == "pointer" and argument.item.cname == "double":
                    inputs.append(np.array([value[k] for k in range(sizes[index])]))
                elif argument.kind == "pointer" and argument.item.cname == "elastica_world":
                    inputs.append(world())
                elif argument.kind == "pointer" and argument.item.kind == "struct":
                    inputs.append(_Struct(value, world(), view))
                    view = value if argument.item.cname == "elastica_rod_view" and value else view
                else:
                    inputs.append(value)
            returned = function(*inputs)
            if written:
                if returned is None:
                    return lib.ELASTICA_OK
                outputs = returned if len(written) > 1 else (returned,)
                if len(outputs) > len(written):
                    raise ValueError("%s returned %d values; it has %d outputs" % (name, len(outputs), len(written)))
                for index, output in zip(written, outputs):
                    if output is None:
                        continue
                    numbers = np.asarray(output, dtype=float).reshape(-1)
                    if numbers.size != max(1, sizes[index]):
                        raise ValueError("an output of %s has %d numbers; it needs %d" % (name, numbers.size, max(1, sizes[index])))
                    for k, number in enumerate(numbers):
                        arguments[index][k] = number
                return lib.ELASTICA_OK
            if signature.result.kind == "enum":
                if isinstance(returned, bool):
                    raise TypeError("%s returned %r; it returns None or the name of a status" % (name, returned))
                return lib.ELASTICA_OK if returned is None else _constant(signature.result, returned)
            if signature.result.cname == "void":
                return None
            return float(returned) if signature.result.cname == "double" else operator.index(returned)
        except BaseException as error:  # raised again, as the cause of the exception, by the call that led here
            _kept.exception = error
            return failed
        finally:
            for argument in inputs:
                if isinstance(argument, _Struct):
                    argument.__dict__["_struct"] = None  # its memory is that of the call

    return ffi.callback(kind, call)


def _is_const_field(struct, name):
    """Whether the values of a lane are const, which cffi does not tell either."""
    body = re.search(r"typedef struct %s \{(.*?)\} %s;" % (struct, struct), _plain).group(1)
    return re.search(r"const double \*%s\b" % name, body) is not None


_plain = re.sub(r"\s+", " ", _interface["declarations"])


def _is_const(name, index):
    """Whether a parameter of a function pointer is const, which cffi does not tell."""
    struct, field = name.split(".")
    body = re.search(r"typedef struct %s \{(.*?)\} %s;" % (struct, struct), _plain).group(1)
    found = re.search(r"\(\*%s\)\((.*?)\);" % field, body)
    if not found:
        alias = re.search(r"(elastica_\w+) %s;" % field, body).group(1)
        found = re.search(r"\(\*%s\)\((.*?)\);" % alias, _plain)
    return found.group(1).split(",")[index].strip().startswith("const")


# ---- Results ----


class _Struct:
    """A C struct, read by attributes. Numbers and small arrays are copied; lanes are arrays on the library's memory."""

    def __init__(self, pointer, world, count=None):
        self.__dict__.update(_struct=pointer, _world=world, _count=count)

    def __dir__(self):
        if self._struct is None:
            raise RuntimeError("elastica: this was an argument of a hook, which has returned; copy what you keep")
        return [name for name, _ in ffi.typeof(self._struct).item.fields]

    def __repr__(self):
        shown = []
        for name in dir(self):
            value = getattr(self, name)
            if name != "struct_size" and not callable(value):
                shown.append("%s=%r" % (name, value))
        return "(%s)" % ", ".join(shown)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        self.__dir__()
        kind = ffi.typeof(self._struct).item
        if name not in dict(kind.fields):
            raise AttributeError("%s has no field %r; it has %s" % (kind.cname, name, ", ".join(dir(self))))
        value = getattr(self._struct, name)
        if name in ("rods", "loads", "stiffness") and "rod_count" in dict(kind.fields):  # one struct per rod, None for a removed one
            views = self._struct.rods
            return [None if not views[k] else _Struct(views[k] if name == "rods" else ffi.addressof(value[k]), self._world, views[k])
                    for k in range(self._struct.rod_count)]
        counted = _lanes.get(kind.cname, {}).get(name)
        if counted:
            rod = self._struct if kind.cname == "elastica_rod_view" else self._count
            return _array(self._world._core, value, getattr(rod, counted), not _is_const_field(kind.cname, name))
        return self._plain(dict(kind.fields)[name].type, value)

    def __setattr__(self, name, value):
        if name in dir(self) and not _lanes.get(ffi.typeof(self._struct).item.cname, {}).get(name):
            setattr(self._struct, name, value)
        elif getattr(self, name) is not value:  # += on a lane has already written
            getattr(self, name)[...] = value

    def _plain(self, kind, value):
        if kind.kind == "array":
            if kind.item.kind == "primitive":
                numbers = list(value)
                return np.array(numbers) if kind.item.cname == "double" else ffi.string(value).decode() if kind.item.cname == "char" else numbers
            if kind.item.kind == "struct":
                return [_Struct(ffi.addressof(part), self._world) for part in value]
        if kind.kind == "enum":  # cffi gives its name
            return next((text for number, text in _names(kind).items() if kind.elements[number] == value or number == value), value)
        if kind.kind == "struct":
            return _Struct(ffi.addressof(value), self._world)
        if kind.kind == "pointer":
            if not value:
                return None
            if kind.item.cname == "elastica_world":
                return self._world
            if kind.item.cname in _handles:
                return _handles[kind.item.cname]._wrap(self._world, value)
            if kind.item.cname == "char":
                return ffi.string(value).decode()
            if kind.item.cname == "double" and self._count is not None:
                return np.array([value[k] for k in range(self._count)])
        return value


# ---- Handles ----


class _Handle:
    """Something of the library: a world, a rod, an effect, ... Two objects are equal if they stand for the same."""

    def __eq__(self, other):
        return isinstance(other, _Handle) and self._pointer == other._pointer

    def __hash__(self):
        return hash(int(ffi.cast("uintptr_t", self._pointer)))

    @classmethod
    def _wrap(cls, world, pointer):
        if pointer == ffi.NULL:
            return None
        found = cls.__new__(cls)
        found._pointer, found._world = pointer, world
        found._core = world._core if world is not None else None
        return found

    def __reduce__(self):
        raise TypeError("elastica: a %s cannot be copied or pickled; save its state" % type(self).__name__)

    def close(self):
        """Closes a file, a page, modes, a path or a budget."""
        pointer, self._pointer = getattr(self, "_pointer", ffi.NULL), ffi.NULL
        if pointer and self._closer:
            _raise(self._core.close(pointer), self._world._message())

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.close()
        else:
            try:
                self.close()
            except Error:
                pass  # the first exception tells more

    _closer = None


class World(_Handle):
    """A world of rods, bodies and effects; keyword arguments: the fields of elastica_world_def."""

    def __init__(self, **options):
        core = self._core = _Core()
        message = ffi.new("char[]", 2000)
        definition = _definition("elastica_world_def", options, core.alive, None)
        definition.message, definition.message_size = message, 2000
        core.alive += [ffi.callback("void *(void *, size_t)", core.allocate), ffi.callback("void (void *, void *)", core.release)]
        definition.allocate, definition.release = core.alive[-2:]
        out = ffi.new("elastica_world **")
        status = lib.elastica_world_create(definition, out)
        _raise(status, ffi.string(message).decode(errors="replace"))
        core.pointer = self._pointer = out[0]
        self._world = self

    @property
    def message(self):
        """The sentence of the last refused call or failure."""
        return self._message()

    def _message(self):
        return ffi.string(lib.elastica_world_message(self._core.pointer)).decode(errors="replace")

    def close(self):
        """Closes all writers, modes, paths and budgets of the world. Its memory goes with the last array that shows it."""
        _raise(self._core.close_all(), self._message())

    @property
    def rods(self):
        """All rods and bodies in order of addition, removed ones left out."""
        found = (self.rod(index) for index in range(self.get().rod_count))
        return [rod for rod in found if rod is not None]

    @property
    def effects(self):
        """All effects in order of addition, removed ones left out."""
        found = (self.effect(index) for index in range(self.get().effect_count))
        return [effect for effect in found if effect is not None]

    @property
    def time(self):
        """[s] The present time."""
        return self.get().time

    def snapshot_save(self):
        """The state as bytes."""
        return _save(lib.elastica_world_snapshot_save, self)

    def snapshot_load(self, data):
        """Restores a state of snapshot_save."""
        _raise(lib.elastica_world_snapshot_load(self._pointer, ffi.from_buffer(data), len(data)), self._message())


class Rod(_Handle):
    """A rod or rigid body; its lanes are attributes: position, velocity, director, omega, strain, curvature, ..."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        view = lib.elastica_rod_get_view(self._pointer)
        if not view:
            raise InvalidArgument("INVALID_ARGUMENT", "the rod was removed")
        found = getattr(_Struct(view, self._world), name)
        if found is None and name in _lanes["elastica_rod_view"]:
            if re.match("external|reaction|total|drag|spin_drag", name):
                raise WrongState("WRONG_STATE", "%s is known after evaluate(dt) of the world, until the next step or change" % name)
            self.refresh()
            found = getattr(_Struct(view, self._world), name)
        return found

    def __setattr__(self, name, value):
        if not name.startswith("_"):
            raise AttributeError("a rod's %s cannot be assigned; set_state and set_rest do that" % name)
        super().__setattr__(name, value)

    def __dir__(self):
        return sorted(set(super().__dir__()) | {name for name, _ in ffi.typeof("elastica_rod_view").fields})

    def set_state(self, position=None, velocity=None, director=None, omega=None):
        """Sets the state between two steps; None keeps the present values. Arrays as in the lanes: [3, nodes] and [3, 3, n], or as in
        elastica.h: flat, in order along the rod."""
        n, nodes = self.element_count, self.node_count
        self._set(lib.elastica_rod_set_state, [("position", position, (3,), nodes), ("velocity", velocity, (3,), nodes),
                                                ("director", director, (3, 3), n), ("omega", omega, (3,), n)])

    def set_rest(self, rest_curvature=None, rest_strain=None):
        """Sets rest curvatures [3, joints] and rest strains [3, n] between two steps; None keeps the present values."""
        self._set(lib.elastica_rod_set_rest, [("rest_curvature", rest_curvature, (3,), self.joint_count),
                                               ("rest_strain", rest_strain, (3,), self.element_count)])

    def body_set_state(self, position=None, velocity=None, director=None, omega=None):
        """set_state of a rigid body, in the frame of its definition."""
        self._set(lib.elastica_body_set_state, [("position", position, (3,), 1), ("velocity", velocity, (3,), 1),
                                                 ("director", director, (3, 3), 1), ("omega", omega, (3,), 1)])

    def _set(self, function, parts):
        pointers, alive = [], []
        for name, value, shape, count in parts:
            if value is None:
                pointers.append(ffi.NULL)
                continue
            pointer, array = _numbers(_along(value, name) if count > 1 else value, name, int(np.prod(shape)) * count)
            pointers.append(pointer)
            alive.append(array)
        _raise(function(self._pointer, *pointers), self._world._message())


class Effect(_Handle):
    """An effect: gravity, a boundary, a joint, ..."""

    def obstacle_get_force(self):
        """Force [N] and couple [N m] of the rods on an obstacle."""
        force, couple = ffi.new("double[3]"), ffi.new("double[3]")
        _raise(lib.elastica_obstacle_get_force(self._pointer, force, couple), self._world._message())
        return np.array(list(force)), np.array(list(couple))

    def contact_get(self):
        """The contact points of a contact or of an elastic obstacle."""
        count = ffi.new("int *")
        _raise(lib.elastica_contact_get(self._pointer, ffi.NULL, 0, count), self._world._message())
        points = ffi.new("elastica_contact_point[]", max(1, count[0]))
        _raise(lib.elastica_contact_get(self._pointer, points, count[0], count), self._world._message())
        return [_owned(ffi.addressof(points[index]), points, self._world) for index in range(count[0])]

    def tendon_get(self, guides=0):
        """The state of a tendon and a list of its first guides."""
        out, infos = ffi.new("elastica_tendon_info *"), ffi.new("elastica_guide_info[]", max(1, guides))
        _raise(lib.elastica_tendon_get(self._pointer, out, infos, guides), self._world._message())
        return _Struct(out, self._world), [_owned(ffi.addressof(infos[index]), infos, self._world) for index in range(guides)]


ModeShape = collections.namedtuple("ModeShape", "displacement turn")


class Modes(_Handle):
    """Natural or buckling modes; a list of elastica_eigenmode. It must not outlive changes of the world."""

    _closer = "elastica_modes_destroy"

    def __len__(self):
        return self.count()

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise IndexError("mode %d of %d" % (index, len(self)))
        return self.get(index % len(self))

    def get_shape(self, index, rod):
        """The shape of a rod in a mode: its displacement [3, nodes] and turn [3, n], copied."""
        out = ffi.new("elastica_mode_shape *")
        _raise(lib.elastica_modes_get_shape(self._pointer, index, rod._pointer, out), self._world._message())
        found = _Struct(out, self._world, rod)
        return ModeShape(found.displacement.copy(), found.turn.copy())

    def __del__(self):
        try:
            self.close()
        except Error:
            pass


class Path(_Handle):
    """A loading path."""

    _closer = "elastica_path_destroy"

    def save(self):
        """The path at an ordinary point, as bytes."""
        return _save(lib.elastica_path_save, self)

    def load(self, data):
        """Continues a path of save."""
        _raise(lib.elastica_path_load(self._pointer, ffi.from_buffer(data), len(data)), self._world._message())

    def __del__(self):
        try:
            self.close()
        except Error:
            pass


class Budget(_Handle):
    """A budget of energy and momentum."""

    _closer = "elastica_budget_close"


class Csv(_Handle):
    """A table of numbers."""

    _closer = "elastica_csv_close"

    def row(self, values):
        """Writes one row."""
        if not self._pointer:
            raise WrongState("WRONG_STATE", "csv_row: this Csv is closed")
        pointer, array = _numbers(values, "row")
        _raise(lib.elastica_csv_row(self._pointer, pointer, array.size), self._world._message())


class Vtk(_Handle):
    """Frames for ParaView."""

    _closer = "elastica_vtk_close"


class View(_Handle):
    """A page that plays the run in a browser."""

    _closer = "elastica_view_close"


class Cmaes(_Handle):
    """CMA-ES; keyword arguments: the fields of elastica_cmaes_def."""

    _closer = "elastica_cmaes_destroy"

    def __init__(self, **options):
        self._alive, message, out = [], ffi.new("char[]", 2000), ffi.new("elastica_cmaes **")
        definition = _definition("elastica_cmaes_def", options, self._alive, None)
        definition.message, definition.message_size = message, 2000
        status = lib.elastica_cmaes_create(definition, out)
        _raise(status, ffi.string(message).decode(errors="replace"))
        self._pointer, self._world, self._core = out[0], self, _Core()
        self._core.children[int(ffi.cast("uintptr_t", out[0]))] = lib.elastica_cmaes_destroy
        self.dimension = definition.dimension

    def _message(self):
        return ffi.string(lib.elastica_cmaes_message(self._pointer)).decode(errors="replace")

    def get(self):
        """The state of the search."""
        out = ffi.new("elastica_cmaes_info *")
        _raise(lib.elastica_cmaes_get(self._pointer, out), self._message())
        return _Struct(out, self, self.dimension)

    def ask(self):
        """The candidates of this generation: [population, dimension]."""
        x = np.empty((self.get().population, self.dimension))
        _raise(lib.elastica_cmaes_ask(self._pointer, ffi.cast("double *", x.ctypes.data), x.size), self._message())
        return x

    def tell(self, fitness):
        """Their fitness, smaller is better; ends the generation."""
        pointer, array = _numbers(fitness, "fitness", self.get().population)
        _raise(lib.elastica_cmaes_tell(self._pointer, pointer), self._message())

    def save(self):
        """The state as bytes."""
        return _save(lib.elastica_cmaes_save, self)

    def load(self, data):
        """Continues a search of save."""
        _raise(lib.elastica_cmaes_load(self._pointer, ffi.from_buffer(data), len(data)), self._message())

    def __del__(self):
        try:
            self.close()
        except Error:
            pass


_handles = {"elastica_" + kind.__name__.lower(): kind for kind in (World, Rod, Effect, Modes, Path, Budget, Csv, Vtk, View, Cmaes)}


def _owned(pointer, owner, world):
    found = _Struct(pointer, world)
    found.__dict__["_owner"] = owner
    return found


def _save(function, handle):
    """The bytes of a function that tells the size it needs."""
    needed = ffi.new("size_t *")
    status = function(handle._pointer, ffi.NULL, 0, needed)
    _raise(status, handle._world._message())
    buffer = ffi.new("char[]", needed[0])
    status = function(handle._pointer, buffer, needed[0], needed)
    _raise(status, handle._world._message())
    return bytes(ffi.buffer(buffer, needed[0]))


# ---- Helpers for hooks ----


def _view_of(rod):
    return rod._struct if isinstance(rod, _Struct) else lib.elastica_rod_get_view(rod._pointer)


def _element(rod, j):
    view = _view_of(rod)
    if not view:
        raise InvalidArgument("INVALID_ARGUMENT", "the rod was removed, or was the argument of a hook that has returned")
    if not -view.element_count <= operator.index(j) < view.element_count:
        raise IndexError("element %d of %d" % (j, view.element_count))
    return view, j % view.element_count


def rod_radius(rod, j):
    """[m] The present radius of an element."""
    return lib.elastica_rod_radius(*_element(rod, j))


def _rotated(function, rod, j, vector):
    out, (pointer, array) = ffi.new("double[3]"), _numbers(vector, "vector", 3)
    function(*_element(rod, j), pointer, out)
    del array  # until here the pointer needs it
    return np.array(list(out))


def rotate_to_material(rod, j, laboratory):
    """The components of a laboratory vector in the frame of an element."""
    return _rotated(lib.elastica_rotate_to_material, rod, j, laboratory)


def rotate_to_laboratory(rod, j, material):
    """The laboratory components of a vector in the frame of an element."""
    return _rotated(lib.elastica_rotate_to_laboratory, rod, j, material)


# ---- The other functions of the header ----


def _method(name, signature):
    """A Python function for a C function, from the types of its parameters alone."""
    sizes = _extents.get(name, [0] * len(signature.args))
    out = signature.args[-1] if len(signature.args) > 1 and signature.args[-1].kind == "pointer" else None
    is_handle_out = out is not None and out.item.kind == "pointer"
    is_struct_out = out is not None and out.item.kind == "struct" and not hasattr(lib, out.item.cname + "_init") \
        and out.item.cname not in _handles
    inputs = signature.args[1:-1] if is_handle_out or is_struct_out else signature.args[1:]
    definition = next((argument.item.cname for argument in inputs
                       if argument.kind == "pointer" and hasattr(lib, argument.item.cname + "_init")), None)
    positional = [argument for argument in inputs if argument.kind != "pointer" or argument.item.cname != definition]

    def call(self, /, *arguments, **options):
        if len(arguments) > len(positional) or (options and not definition):
            raise TypeError("%s takes %d arguments%s" % (name, len(positional), " and fields of " + definition if definition else ""))
        given, values, alive = iter(arguments), [self._pointer], []
        world = self._world
        if not self._pointer:
            raise WrongState("WRONG_STATE", "%s: this %s is closed" % (name, type(self).__name__))
        rod = next((argument for argument in arguments if isinstance(argument, Rod)), None)
        if rod is None and isinstance(self, Effect):
            rod = Rod._wrap(world, lib.elastica_effect_get(self._pointer).rod)
        for index, argument in enumerate(inputs, 1):
            if argument.kind == "pointer" and argument.item.cname == definition and not options and name == "elastica_world_set_sampler":
                values.append(ffi.NULL)
                continue
            if argument.kind == "pointer" and argument.item.cname == definition:
                values.append(_definition(definition, options, alive, weakref.ref(world), rod))
                continue
            value = next(given, None)
            if argument.kind == "pointer" and argument.item.cname in _handles:
                if value is not None and not isinstance(value, _handles[argument.item.cname]):
                    raise TypeError("%s needs a %s, not %r" % (name, _handles[argument.item.cname].__name__, value))
                values.append(value._pointer if value is not None else ffi.NULL)
            elif value is None:
                raise TypeError("%s takes %d arguments" % (name, len(positional)))
            elif argument.kind == "pointer" and argument.item.cname == "double":
                pointer, array = _numbers(value, name, sizes[index])
                alive.append(array)
                values.append(pointer)
            elif argument.kind == "pointer":
                values.append(_text(value, name))
                alive.append(values[-1])
            else:
                values.append(value)
        result = ffi.new(out.item.cname + " *") if is_handle_out or is_struct_out else None
        if result is not None:
            values.append(result)
        _kept.exception = None
        status = getattr(lib, name)(*values)
        if world._core is not None and status == lib.ELASTICA_OK:  # functions and names that the library keeps
            kept = [item for item in alive if isinstance(item, ffi.CData)]
            if isinstance(self, Effect) and kept:
                world._core.kept[int(ffi.cast("uintptr_t", self._pointer)), name] = kept
            else:
                world._core.alive += kept if definition else []
        found = None
        if is_handle_out:
            found = _handles[out.item.item.cname]._wrap(world, result[0])
            if found is not None and found._closer:
                closer, kind = getattr(lib, found._closer), out.item
                world._core.children[int(ffi.cast("uintptr_t", found._pointer))] = lambda pointer: closer(ffi.cast(kind, pointer))
        elif is_struct_out:
            found = _Struct(result, world)
        if signature.result.kind != "enum":
            if signature.result.kind == "struct":
                return _Struct(ffi.new(signature.result.cname + " *", status), world)
            if signature.result.kind == "pointer":
                return _handles[signature.result.item.cname]._wrap(world, status)
            if isinstance(status, float) and status != status:
                _raise(lib.ELASTICA_INVALID_ARGUMENT, world._message())
            return status
        if status == lib.ELASTICA_STOPPED:
            return found if found is not None else False
        _raise(status, world._message(), found)
        return found if result is not None else True if name.startswith("elastica_world_") else None

    call.__name__ = name
    call.__doc__ = "%s of elastica.h%s." % (name, "; keyword arguments: the fields of " + definition if definition else "")
    return call


def _add_methods():
    """Gives each class its functions."""
    for name in dir(lib):
        signature = ffi.typeof(getattr(lib, name)) if not isinstance(getattr(lib, name), int) else None
        if signature is None or signature.kind != "function" or not signature.args or signature.ellipsis:
            continue
        if signature.result.kind == "pointer" and signature.result.item.cname not in _handles:
            continue  # a view, whose lanes are attributes of the rod, or a text
        owner = signature.args[0]
        if owner.kind != "pointer" or owner.item.cname not in _handles or re.search("_destroy$|_close$", name):
            continue
        kind = _handles[owner.item.cname]
        method = re.sub("^elastica_(%s_)?" % kind.__name__.lower(), "", name)
        if method not in vars(kind) and method != "message":
            setattr(kind, method, _method(name, signature))


_add_methods()
