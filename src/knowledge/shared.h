// What is known, once for all who ask in one program.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "wheelcheck/knowledge.h"
#include "wheelcheck/result.h"

namespace wheelcheck::knowledge {

// As load_knowledge, with its errors. Where no file adds to the built-in tables, everybody gets the same ones, which
// stay until the program ends.
Result<std::shared_ptr<const Knowledge>> shared_knowledge(std::span<const std::string> files);

// True of those same ones: not of a copy, which may have been changed.
bool is_builtin(const Knowledge& knowledge);

}  // namespace wheelcheck::knowledge
