// WC803: a file has the name of an extension module, but no interpreter can import it.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.h"
#include "import_plan/own_imports.h"
#include "model/installed_files.h"
#include "model/module_names.h"
#include "model/python_calls.h"
#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::init_missing {
namespace {

bool claims_python2(const WheelView& view) {
  return std::ranges::any_of(view.wheel.name.python, [](std::string_view tag) {
    return tag.starts_with("cp2") || tag.starts_with("py2") || tag.starts_with("pp2");
  });
}

// The hooks that importlib calls: PyInit_NAME, or PyModExport_NAME (PEP 793), where NAME is the last part of the
// module's name. Names beyond ASCII are encoded (PEP 489) and not checked.
bool has_own_init(const ElfMember& file, const ExtensionModule& module, std::string_view file_name, bool python2) {
  const std::string_view stem = file_name.substr(0, file_name.find('.'));
  const std::string_view last = std::string_view(module.module).substr(module.module.rfind('.') + 1);
  if (std::ranges::any_of(stem, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) return true;
  bool found = false;
  for (const Export& symbol : file.facts.dynamic->exports)
    for (const std::string_view prefix : {"PyInit_", "PyModExport_", "init"})
      if (symbol.name.starts_with(prefix) && (python2 || prefix != "init")) {
        const std::string_view name = symbol.name.substr(prefix.size());
        found = found || name == stem || name == last;
      }
  return found;
}

// What Python code of the wheel imports.
struct Imports {
  std::set<std::string_view> modules;  // the last part of each name
  bool by_path = false;                // with importlib.util or imp, which give a module any name

  explicit Imports(const WheelView& view) {
    if (!view.wheel.all_python) return;
    for (const PythonFile& file : view.wheel.python)
      for (const PythonEvent& event : file.events) {
        if (event.action != PythonAction::Import) continue;
        const std::string_view name = event.name;
        modules.insert(name.substr(name.rfind('.') + 1));
        modules.insert(event.names.begin(), event.names.end());
        by_path = by_path || name.starts_with("importlib.") || name == "imp" ||
                  (name == "importlib" && std::ranges::find(event.names, "util") != event.names.end());
      }
  }
  // spec_from_file_location("_PyNvVideoCodec", path) of pynvvideocodec 2.2.4, and no import by the name of the file.
  bool may_rename(std::string_view module) const { return by_path && !names(module); }
  bool names(std::string_view module) const { return modules.contains(module.substr(module.rfind('.') + 1)); }
};

// The function that makes a module, if the file calls one.
std::string_view makes_module(const ElfMember& file) {
  if (!file.facts.dynamic) return {};
  for (const Import& import : file.facts.dynamic->imports)
    for (const std::string_view name : {"PyModule_Create2", "PyModuleDef_Init", "Py_InitModule4_64"})
      if (import.name == name) return name;
  return {};
}

// Reports an extension module whose init function has the name of another module.
void report_other_name(const WheelView& view, const Emit& emit) {
  std::optional<Imports> imports;
  const bool python2 = claims_python2(view);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const auto* const module = std::get_if<ExtensionModule>(&file.role);
    if (module == nullptr || !file.facts.dynamic) return;
    const std::string_view name = base_name(path_of(view, index));
    if (suffix_of(name).kind == ModuleSuffix::Kind::None || has_own_init(file, *module, name, python2)) return;
    std::vector<std::string> inits;
    for (const Export& symbol : file.facts.dynamic->exports)
      if (is_module_hook(symbol.name) || (module->python_major == 2 && symbol.name.starts_with("init")))
        inits.emplace_back(symbol.name);
    std::ranges::sort(inits);
    if (inits.empty()) return;
    if (!imports) imports.emplace(view);
    // An empty function of Python 2 that nothing imports: it is there for the platform tag (gaussianblur 1.1.2).
    const bool unused = !is_module_hook(inits.front()) && makes_module(file).empty() && !imports->names(module->module);
    emit({.place = AtElf{index},
          .message = fmt::format("exports {}, but importing {} calls PyInit_{}: ImportError", first_of(inits),
                                 module->module, name.substr(0, name.find('.'))),
          .evidence = {{"functions", list_of(inits)}},
          .fix = "name the file after its init function, or the function after the file",
          .severity = unused || imports->may_rename(module->module) ? Severity::Note : Severity::Error});
  });
}

// Whether code may open a file of the wheel as a library: Python code with ctypes or cffi, or another file.
bool may_be_opened_otherwise(const WheelView& view, const std::vector<ElfIndex>& files) {
  const auto is_python = [](const MemberFacts& member) {
    return member.path.name().ends_with(".py") || member.path.name().ends_with(".pyc");
  };
  if (std::ranges::any_of(view.wheel.members, is_python)) return true;
  return view.wheel.elfs.size() > files.size();
}

// dlsym also searches the libraries that the file requires.
bool has_hook_elsewhere(const WheelView& view, std::string_view file_name) {
  const std::string_view stem = file_name.substr(0, file_name.find('.'));
  const auto is_hook = [&](const Export& symbol) {
    return is_module_hook(symbol.name) && symbol.name.substr(symbol.name.find('_') + 1) == stem;
  };
  return std::ranges::any_of(view.wheel.elfs, [&](const ElfMember& elf) {
    return elf.facts.dynamic && std::ranges::any_of(elf.facts.dynamic->exports, is_hook);
  });
}

// Why the import of the file certainly fails: "hostile/__init__.py imports it"; "" if it may be opened otherwise.
std::string why_imported(const WheelView& view, const ElfMember& file, const std::set<std::string>& modules) {
  const auto& path = view.wheel.members[file.member.value].path;
  if (is_opened_by_name(view.wheel, path.name())) return {};
  const std::string_view whole = path.text(), installed = below_site(whole);
  const std::size_t ending = path.name().size() - path.name().find('.');
  // A package of the same name is found first (drake/ beside drake.cpython-311-x86_64-linux-gnu.so).
  const bool is_package =
      find_member(view.wheel.members, fmt::format("{}/__init__.py", whole.substr(0, whole.size() - ending)))
          .has_value();
  if (!is_package && modules.contains(std::string(installed.substr(0, installed.size() - ending))))
    return "the import of the package imports it";
  // Others require klayout's lib_pya, which makes a module for the interpreter that it starts.
  const auto requires_it = [&](const ElfMember& other) {
    return other.facts.dynamic &&
           std::ranges::find(other.facts.dynamic->needed, path.name()) != other.facts.dynamic->needed.end();
  };
  const std::string_view made_by = std::ranges::any_of(view.wheel.elfs, requires_it) ? "" : makes_module(file);
  return made_by.empty() ? std::string() : fmt::format("it makes a module ({})", made_by);
}

void check(const WheelView& view, const Emit& emit) {
  report_other_name(view, emit);
  std::vector<std::string> files;
  std::vector<ElfIndex> all;
  std::optional<std::set<std::string>> modules;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    if (!std::holds_alternative<PlainLibrary>(file.role)) return;
    const std::string_view name = view.wheel.members[file.member.value].path.name();
    if (suffix_of(name).kind == ModuleSuffix::Kind::None || has_hook_elsewhere(view, name)) return;
    if (!modules) modules = view.wheel.all_python ? import_plan::certain_modules(view.wheel) : std::set<std::string>();
    if (const std::string why = why_imported(view, file, *modules); !why.empty()) {
      emit({.place = AtElf{index},
            .message = fmt::format("exports no PyInit_ or PyModExport_ function, and {}: ImportError", why),
            .evidence = {},
            .fix = "export the function: PyMODINIT_FUNC PyInit_NAME, in C++ with extern \"C\", in `global:` of a "
                   "version script",
            .severity = Severity::Error});
      return;
    }
    all.push_back(index);
    files.emplace_back(path_of(view, index));
  });
  if (files.empty()) return;
  const bool one = files.size() == 1;
  // A file in a directory may be a part that a module in another wheel opens.
  const auto is_below = [](const std::string& path) { return path.contains('/'); };
  const bool fails = std::ranges::none_of(files, is_below) && !may_be_opened_otherwise(view, all);
  emit({.place = one ? Place(AtElf{all.front()}) : Place(WholeWheel{}),
        .message = (one ? "is named as an extension module, but exports no PyInit_ or PyModExport_ function"
                        : fmt::format("{} are named as extension modules, but export no PyInit_ or PyModExport_ "
                                      "function: {}",
                                      count_of(files.size(), "file"), first_of(files))) +
                   std::string(fails ? "; importing it is an ImportError, and the wheel has no code that could open it "
                                       "otherwise"
                                     : ""),
        .evidence = {{"files", list_of(files)}},
        .fix =
            "export the function (PyMODINIT_FUNC PyInit_NAME), or, for a library that ctypes or cffi opens, drop the "
            "interpreter's part of the file name",
        .severity = fails ? Severity::Error : Severity::Note});
}

}  // namespace

extern const Rule rule{
    .code = "WC803",
    .name = "init-missing",
    .severity = Severity::Note,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::init_missing
