// The tables of data/, and of files of the user in the same form: read from JSON, and put together.
#pragma once

#include <string_view>
#include <vector>

#include "wheelcheck/knowledge.h"
#include "wheelcheck/result.h"

namespace wheelcheck::knowledge {

// What a JSON text holds of the five tables, each sorted by name; it must hold one. Errors are BadPolicy and name
// `file` and the JSON pointer.
Result<Knowledge> read_tables(std::string_view text, std::string_view file);

// Both; an entry of `more` takes the place of the one of the same name.
Knowledge merged(Knowledge knowledge, Knowledge more);

// The tables of data/, which the build compiled in.
Knowledge builtin_knowledge();

// Each table of a document. What is wrong goes to the field's problem; then the answer is of no use.
class Field;
std::vector<KnownLibrary> libraries_of(const Field& table);
std::vector<KnownGpuLibrary> gpu_of(const Field& table);
std::vector<KnownDistribution> distributions_of(const Field& table);
std::vector<KnownRemedy> remedies_of(const Field& table);
std::vector<StableSymbol> stable_abi_of(const Field& table, StringPool& names);

}  // namespace wheelcheck::knowledge
