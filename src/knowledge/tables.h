// Reads the tables of data/, or of files of the user in the same format, and merges them.
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

// The tables in a JSON text, each sorted by name. It must contain at least one. Error: BadPolicy, with `file` and the
// JSON pointer. The systems are validated but not returned: no rule uses them, and Knowledge is loaded at every start.
Result<Knowledge> read_tables(std::string_view text, std::string_view file);

// Merges both. An entry of `more` replaces one of the same name.
Knowledge merged(Knowledge knowledge, Knowledge more);

// The systems in such a text, sorted by id, and the merge of two lists.
Result<std::vector<KnownSystem>> read_systems(std::string_view text, std::string_view file);
std::vector<KnownSystem> merged(std::vector<KnownSystem> systems, std::vector<KnownSystem> more);

// The built-in tables of data/. The systems are separate, and are read from JSON: only `runs-on` uses them.
Knowledge builtin_knowledge();
std::vector<KnownSystem> builtin_systems();

// Each table of a document. The results are views into the document. Problems are reported to the field; the result
// must not be used then.
class Field;
std::vector<KnownLibrary> libraries_of(const Field& table);
std::vector<KnownGpuLibrary> gpu_of(const Field& table);
std::vector<KnownDistribution> distributions_of(const Field& table);
std::vector<KnownRemedy> remedies_of(const Field& table);
std::vector<StableSymbol> stable_abi_of(const Field& table);
std::vector<KnownSystem> systems_of(const Field& table);

// As load_knowledge, with the same errors. Without files all callers get the same object, which exists until the
// program ends.
Result<std::shared_ptr<const Knowledge>> shared_knowledge(std::span<const std::string> files);

}  // namespace wheelcheck::knowledge
