// Cython/Utility/ImportExport.c: while the module is initialised, it calls for each function
//    __Pyx_ExportFunction("f", (void (*)(void))f, "int (int, double)")
//    __Pyx_ImportFunction(module, "f", (void (**)(void))&pointer, "int (int, double)")
//    __Pyx_ImportType(module, "numpy", "dtype", sizeof(PyArray_Descr), check)              before Cython 3
//    __Pyx_ImportType(module, "numpy", "dtype", sizeof(PyArray_Descr), alignment, check)
// The module is the result of PyImport_ImportModule("pkg.mod") before. GCC removes a signature that is the same in all
// calls (-fipa-cp). Only calls in the code that runs when the file is loaded are read, and a call is believed only if
// all arguments are of the right kind, a name, a signature and the address of code or of a writable pointer.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/text.h"
#include "elf/code.h"
#include "elf/interfaces.h"

namespace wheelcheck::elf {
namespace {

constexpr std::size_t max_functions = 2000, longest_text = 512, text_window = 512 * 1024;  // the last two: bytes
constexpr std::size_t max_windows = 64;

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '_'; });
}
bool is_module_name(std::string_view text) {
  const std::size_t dot = text.find('.');
  return is_name(text.substr(0, dot)) && (dot == std::string_view::npos || is_module_name(text.substr(dot + 1)));
}
// "int (int, double)": a type and its arguments, as Cython writes them.
bool is_signature(std::string_view text) {
  const std::size_t open = text.find('(');
  return open != std::string_view::npos && open > 1 && text.ends_with(')') &&
         (text[open - 1] == ' ' || text[open - 1] == '*') && std::ranges::all_of(text, [](char c) {
           return is_alnum(c) || std::string_view("_ *(),.[]<>:&").find(c) != std::string_view::npos;
         });
}

// What the calls say. The texts are copied, because each occurs many times.
struct CapiCalls {
  std::set<CythonFunction> exports, imports;
  std::set<std::string_view> modules;
  std::set<ImportedType> types;
  std::size_t size() const { return exports.size() + imports.size() + modules.size() + types.size(); }
};

class CapiReader {
 public:
  // types: the module imports types of other modules.
  CapiReader(const Image& image, bool types, CapiCalls& found, StringPool& pool)
      : image_(image), types_(types), found_(found), pool_(pool) {}

  // In the order of their addresses.
  void read(std::span<const CodeCall> calls) {
    for (const CodeCall& one : calls) {
      if (found_.size() >= max_functions) break;
      call(one);
    }
  }

 private:
  std::string_view text(std::optional<std::uint64_t> address) {
    if (!address || image_.writable_space(*address) != 0) return {};
    // Texts lie together, and to inflate a page of a large file again costs as much as to inflate many.
    const std::uint64_t place = *address / text_window;
    const bool wide = windows_.contains(place) || windows_.size() < max_windows;
    if (wide) windows_.insert(place);
    const auto window = image_.from(*address, wide ? text_window : longest_text);
    const auto bytes = window.first(std::min(window.size(), longest_text));
    const std::string_view all = Bytes(bytes).as_text();
    const std::size_t end = all.find('\0');
    return end == std::string_view::npos ? std::string_view() : all.substr(0, end);
  }
  void call(const CodeCall& call) {
    const auto& [address, arguments] = call;
    const auto first = arguments[0], second = arguments[1], third = arguments[2];
    if (first && !second && !third) module_ = text(first);
    if (types_ && !first) import_type(arguments);
    if (!third) return;  // most calls
    const std::string_view name = text(first), signature = text(third);
    // The address of an exported function is loaded from the GOT.
    if (is_name(name) && is_signature(signature) && (!second || image_.is_executable(*second))) {
      add_function(found_.exports, name, signature);
      return;
    }
    const std::string_view imported = text(second), imported_signature = text(arguments[3]);
    if (first || image_.writable_space(*third) == 0 || !is_name(imported)) return;
    if (is_module_name(module_) && !found_.modules.contains(module_)) found_.modules.insert(pool_.add(module_));
    if (is_signature(imported_signature)) add_function(found_.imports, imported, imported_signature);
  }
  void add_function(std::set<CythonFunction>& functions, std::string_view name, std::string_view signature) {
    if (!functions.contains({name, signature})) functions.insert({pool_.add(name), pool_.add(signature)});
  }

  void import_type(const CodeCall::Arguments& arguments) {
    const std::string_view module = text(arguments[1]);
    if (!is_module_name(module)) return;  // most calls
    const std::string_view type = text(arguments[2]);
    if (!is_name(type)) return;
    const auto size = arguments[3];
    if (!size || !is_object_size(*size)) return;
    // CheckSize_Error is 0: another size is an error. With other checks only a smaller object is one.
    const auto check = arguments[5] ? arguments[5] : arguments[4];
    // CheckSize_Ignore is 2. Otherwise it is CheckSize_Warn: of a larger object, Python prints a RuntimeWarning. GCC
    // removes the argument if all calls have the same.
    if (check && *check > 2) return;
    const std::string name = fmt::format("{}.{}", module, type);
    ImportedType imported{.name = name,
                          .size = static_cast<std::uint32_t>(*size),
                          .exact = check == 0U,
                          .warns = check != 0U && check != 2U};
    if (found_.types.contains(imported)) return;
    imported.name = pool_.add(name);
    found_.types.insert(imported);
  }

  const Image& image_;
  bool types_;
  CapiCalls& found_;
  StringPool& pool_;
  std::set<std::uint64_t> windows_;  // of texts: they stay in memory
  std::string_view module_;          // the only argument of a call: PyImport_ImportModule("pkg.mod")
};

}  // namespace

bool may_have_cython_capi(const DynamicFacts& facts, bool checks_sizes) {
  const auto is_capsule = [](const Import& import) {
    return import.name == "PyCapsule_New" || import.name == "PyCapsule_GetPointer";
  };
  return checks_sizes || std::ranges::any_of(facts.imports, is_capsule);
}

void read_cython_capi(const Image& image, bool checks_sizes, std::span<const CodeCall> calls, InterfaceFacts& facts,
                      StringPool& pool) {
  CapiCalls found;
  CapiReader(image, checks_sizes, found, pool).read(calls);
  facts.cython_exports.assign(found.exports.begin(), found.exports.end());
  facts.cython_imports.assign(found.imports.begin(), found.imports.end());
  facts.cython_modules.assign(found.modules.begin(), found.modules.end());
  facts.imported_types.assign(found.types.begin(), found.types.end());
}

}  // namespace wheelcheck::elf
