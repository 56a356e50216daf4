#include "import_plan/own_loads.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "import_plan/import_walk.h"
#include "import_plan/modules.h"
#include "import_plan/own_imports.h"
#include "model/rtld.h"

namespace wheelcheck::import_plan {
namespace {

// The files of the wheel that the call opens.
std::vector<ElfIndex> opened_by(const OwnLibraries& libraries, MemberIndex file, const PythonCall& call) {
  const bool opens = call.call == LoadCall::Cdll || call.call == LoadCall::CffiDlopen;
  return opens && call.library ? libraries.at_path(file, *call.library) : std::vector<ElfIndex>();
}

class Loads {
 public:
  Loads(const WheelFacts& wheel, const OwnLibraries& libraries)
      : wheel_(wheel), libraries_(libraries), part_(part_of(wheel)), modules_(std::span(&part_, 1)) {}

  OwnLoads all() {
    if (wheel_.all_python) {
      for (const CertainOpen& open : certain_opens(wheel_)) certain_.insert(open.call);
      Run import(modules_, rtld_now, Run::Follow::Likely);
      import_packages(import);
      add(import);
      Run everything(modules_, rtld_now, Run::Follow::Everything);
      import_packages(everything);
      for (const PythonFile& file : wheel_.python)
        if (const auto module = modules_.of_file(0, file.member); module && !file.calls.empty())
          everything.import(*module);
      add(everything);
    }
    for (const PythonFile& file : wheel_.python)
      for (std::uint32_t call = 0; call < file.calls.size(); ++call) add_call(file, call);
    return {std::move(loads_), std::move(cut_)};
  }

 private:
  void import_packages(Run& run) const {
    for (const ModuleId root : roots_of(modules_, 0)) run.import(root);
  }
  void add(const Run& run) {
    if (cut_.empty()) cut_ = run.cut();
    for (const Opening& opening : run.openings()) {
      if (opening.module) {
        loads_.push_back({.elf = *opening.module});
      } else if (opening.cause) {
        const auto file = std::ranges::lower_bound(wheel_.python, opening.cause->place.file, {}, &PythonFile::member);
        add_call(*file, opening.cause->call);
      }
    }
  }
  void add_call(const PythonFile& file, std::uint32_t index) {
    if (!seen_.emplace(file.member, index).second) return;
    const PythonCall& call = file.calls[index];
    const std::vector<ElfIndex> files = opened_by(libraries_, file.member, call);
    for (const ElfIndex elf : files)
      loads_.push_back({.elf = elf,
                        .by_call = true,
                        .file = file.member,
                        .line = call.line,
                        .at_import = files.size() == 1 && certain_.contains(&call)});
  }

  const WheelFacts& wheel_;
  const OwnLibraries& libraries_;
  const Part part_;
  const Modules modules_;
  std::set<const PythonCall*> certain_;
  std::set<std::pair<MemberIndex, std::uint32_t>> seen_;
  std::vector<OwnLoad> loads_;
  std::string cut_;
};

}  // namespace

bool is_caught(const PythonFile& file, std::uint32_t call) {
  for (std::uint32_t u = 0; u < file.units.size(); ++u) {
    const auto events = std::span(file.events).subspan(file.units[u].first, file.units[u].count);
    const auto load = std::ranges::find_if(
        events, [&](const PythonEvent& event) { return event.action == PythonAction::Load && event.call == call; });
    if (load == events.end()) continue;
    if (load->attempt != no_python_index) return true;
    return std::ranges::any_of(file.events, [&](const PythonEvent& event) {
      return event.action == PythonAction::Call && event.target == u && event.attempt != no_python_index;
    });
  }
  return true;  // nothing is known about it
}

OwnLoads own_loads(const WheelFacts& wheel) {
  if (std::ranges::all_of(wheel.python, [](const PythonFile& file) { return file.calls.empty(); })) return {};
  const OwnLibraries libraries(wheel);
  const bool any = std::ranges::any_of(wheel.python, [&](const PythonFile& file) {
    return std::ranges::any_of(
        file.calls, [&](const PythonCall& call) { return !opened_by(libraries, file.member, call).empty(); });
  });
  return any ? Loads(wheel, libraries).all() : OwnLoads();
}

}  // namespace wheelcheck::import_plan
