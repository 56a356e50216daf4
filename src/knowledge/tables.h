// The tables of data/, and of files of the user in the same form: read from JSON, and put together.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/knowledge.h"
#include "wheelcheck/result.h"
#include "wheelcheck/systems.h"

namespace wheelcheck::knowledge {

// What a JSON text holds of the tables, each sorted by name; it must hold one. Errors are BadPolicy and name `file` and
// the JSON pointer. Systems are read and dropped: no rule asks for them, and they take their time at every start.
Result<Knowledge> read_tables(std::string_view text, std::string_view file);

// Both; an entry of `more` takes the place of the one of the same name.
Knowledge merged(Knowledge knowledge, Knowledge more);

// The systems of such a text, by id, and both lists in one.
Result<std::vector<KnownSystem>> read_systems(std::string_view text, std::string_view file);
std::vector<KnownSystem> merged(std::vector<KnownSystem> systems, std::vector<KnownSystem> more);

// The tables of data/, which the build compiled in; the systems apart.
Knowledge builtin_knowledge();
std::vector<KnownSystem> builtin_systems();

// Each table of a document, with views into it. What is wrong goes to the field's problem; then the answer is of no
// use.
class Field;
std::vector<KnownLibrary> libraries_of(const Field& table);
std::vector<KnownGpuLibrary> gpu_of(const Field& table);
std::vector<KnownDistribution> distributions_of(const Field& table);
std::vector<KnownRemedy> remedies_of(const Field& table);
std::vector<StableSymbol> stable_abi_of(const Field& table);
std::vector<KnownSystem> systems_of(const Field& table);

// As load_knowledge, with its errors. Without files every caller gets the same object, which lives until the program
// ends.
Result<std::shared_ptr<const Knowledge>> shared_knowledge(std::span<const std::string> files);

// True for that object only: a copy may have been changed.
bool is_builtin(const Knowledge& knowledge);

}  // namespace wheelcheck::knowledge
