// Which Python interpreters load the extension modules of a wheel. The python and ABI tags state it for the wheel (PEP
// 425, 384, 803), the suffix of the file name for a single module (PEP 3149). The rules of this folder compare the two
// with each other and with the imported names of CPython.
//
// Installers look only at the tags, and the import system only at the suffix. Where the two disagree, pip installs a
// wheel whose modules no interpreter finds, or which an interpreter finds and cannot load. Neither tool notices.
#pragma once

#include <optional>
#include <string_view>

#include "model/module_names.h"
#include "model/python_tag.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

// The 11 of cp311 or cp311t; 2 for cp3 and py3, because the stable ABI began with 3.2; nothing for other tags.
std::optional<unsigned> cpython_minor(std::string_view tag);

const StableSymbol* find_stable(const Knowledge& knowledge, std::string_view name);
// Whether CPython 2 has the name and no CPython 3 (Python 3.0, "Changes to the C API").
bool is_python2_name(std::string_view symbol);

// A library that neither the wheel holds nor every system has may define names that begin with Py: libshiboken6 does,
// for the modules of PySide6.
bool other_library_may_define(const WheelView& view, ElfIndex index);

// The 11 of "_shim_py311.so", "foo/cp311/x.so", "x_3_11.so" or "x.cpython-311-x86_64-linux-gnu.so": the one version
// that a file is named after, which its package chooses at run time.
std::optional<unsigned> version_in_path(std::string_view path);

}  // namespace wheelcheck::rules
