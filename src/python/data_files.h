// Files beside the Python code that it opens for reading: open(), pathlib, importlib.resources, pkgutil, pkg_resources
// and the readers of common libraries.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "python/evaluate.h"
#include "python/model.h"

namespace wheelcheck::python {

// The path of the file or directory that a call reads; nullopt if the call reads none, or if its path is not known. It
// is relative to the directory of the Python file, without "." ("data/x.json", "../VERSION"), or to site-packages
// ("/pkg/x.json").
std::optional<std::string> file_read_by(const CallSite& site, const Model& model, Evaluator& evaluator);

// True for a call that may create a file or a directory, or runs a program, judging by its name.
bool may_create_files(const CallSite& site, const Model& model, Evaluator& evaluator);

// True for a name that such a function may have ("open", "read_text", "mkdir").
bool is_file_word(std::string_view name);

// True if the code may know the path of a file beside it. A cheap search for words.
bool may_know_paths(std::string_view source);

}  // namespace wheelcheck::python
