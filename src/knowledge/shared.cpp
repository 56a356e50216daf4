#include "knowledge/shared.h"

#include <atomic>
#include <utility>

#include "knowledge/tables.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::knowledge {
namespace {

std::atomic<const Knowledge*> given = nullptr;  // what was given to all

}  // namespace

bool is_builtin(const Knowledge& knowledge) { return &knowledge == given.load(); }

Result<std::shared_ptr<const Knowledge>> shared_knowledge(std::span<const std::string> files) {
  if (files.empty()) {
    // The kernel takes it back when the program ends; its destructor would do so name by name.
    static const Knowledge& builtin = *new Knowledge(builtin_knowledge());
    given = &builtin;
    return std::shared_ptr<const Knowledge>(std::shared_ptr<const void>(), &builtin);
  }
  Result<Knowledge> loaded = load_knowledge(files);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  return std::make_shared<const Knowledge>(std::move(*loaded));
}

}  // namespace wheelcheck::knowledge
