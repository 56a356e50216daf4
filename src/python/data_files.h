// Files beside the Python code that it opens: open(), pathlib, importlib.resources, pkgutil, pkg_resources and the
// readers of common libraries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "python/evaluate.h"
#include "python/model.h"

namespace wheelcheck::python {

// A file or directory beside the code.
struct OpenedFile {
  // Relative to the directory of the Python file, without "." ("data/x.json", "../VERSION"), or to site-packages
  // ("/pkg/x.json"). Of a file that may be created in an unknown directory: "*/x.json".
  std::string path;
  bool only_read = true;  // otherwise the call may create it
  bool lists = false;     // it is a directory whose names are read
};
// What a call opens; nullopt if it opens nothing, or if the path is not known.
std::optional<OpenedFile> file_opened_by(const CallSite& site, const Model& model, Evaluator& evaluator);

// What a call may create, judging by its name. A program that it runs may create files.
enum class Creates : std::uint8_t { Nothing, Directories, Files };
Creates created_by(const CallSite& site, const Model& model, Evaluator& evaluator);

// True for a name that such a function may have ("open", "read_text", "mkdir").
bool is_file_word(std::string_view name);

// True if the code may know the path of a file beside it, or create files. A cheap search for words.
bool may_open_files(std::string_view source);

}  // namespace wheelcheck::python
