// WC803: files that are named as extension modules, but that no interpreter could import.
#include <fmt/format.h>

#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  std::vector<std::string> files;
  std::optional<ElfIndex> first;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    if (!std::holds_alternative<PlainLibrary>(file.role)) return;
    if (suffix_of(view.wheel.members[file.member.value].path.name()).kind == ModuleSuffix::Kind::None) return;
    if (!first) first = index;
    files.emplace_back(path_of(view, index));
  });
  if (files.empty()) return;
  const bool one = files.size() == 1;
  emit({.place = one ? Place(AtElf{*first}) : Place(WholeWheel{}),
        .message = one ? "is named as an extension module, but exports no PyInit_ or PyModExport_ function"
                       : fmt::format("{} are named as extension modules, but export no PyInit_ or PyModExport_ "
                                     "function: {}",
                                     count_of(files.size(), "file"), first_of(files)),
        .evidence = {{"files", list_of(files)}},
        .fix =
            "export the function (PyMODINIT_FUNC PyInit_NAME), or, for a library that ctypes or cffi opens, drop the "
            "interpreter's part of the file name"});
}

}  // namespace

extern const Rule init_missing{
    .code = "WC803",
    .name = "init-missing",
    .severity = Severity::Info,
    .summary = "A file is named as an extension module, but has no function that makes the module.",
    .why =
        "`import` calls `PyInit_NAME` (PEP 489) or `PyModExport_NAME` (PEP 793) of the file and fails with `dynamic "
        "module does not define module export function` where there is none. A version script or a hidden "
        "visibility that is too eager does that.",
    .remedy =
        "Keep the function visible: `PyMODINIT_FUNC`, and `PyInit_*` in the version script. A library that is opened "
        "by "
        "ctypes or cffi should be named as one.",
    .false_positives =
        "Common, hence only information: setuptools gives the ending of extension modules to libraries that are opened "
        "by cffi or ctypes as well.",
    .check = check,
};

}  // namespace wheelcheck::rules
