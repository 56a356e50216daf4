// Reads data/systems.json: versions of Linux distributions and the version nodes of their libraries.
#include <algorithm>

#include "base/text.h"
#include "knowledge/fields.h"
#include "knowledge/tables.h"
#include "wheelcheck/config.h"

namespace wheelcheck::knowledge {
namespace {

bool is_system_id(std::string_view text) {
  const auto is_inner = [](char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '.'; };
  return is_plain(text) && (is_lower(text.front()) || is_digit(text.front())) && std::ranges::all_of(text, is_inner);
}
constexpr std::string_view system_id_words = "lower case letters, digits, '-' and '.', as in debian-12";

bool is_dotted_number(std::string_view text) {
  Version version;
  return parse_version(text, version);
}
constexpr std::string_view dotted_number_words = "numbers with dots between, as in 3.4.30";

bool is_day(std::string_view text) { return parse_date(text).has_value(); }
constexpr std::string_view day_words = "a date: 2027-01-31";

// The part before the first '_': GLIBC of GLIBC_2.34. It must not contain a blank, which is the separator in builtin.h.
bool is_family(std::string_view text) {
  return is_plain(text) && std::ranges::all_of(text, [](char c) { return is_upper(c) || is_digit(c); });
}
bool is_node(std::string_view text) {
  return is_plain(text) && text.find(' ') == text.npos && text.find('_') != text.npos;
}
constexpr std::string_view node_words = "the name of a version node, as in CXXABI_FLOAT128";

std::string_view optional_text(const Field& row, std::string_view key, Field::Test test, std::string_view want) {
  const std::optional<Field> field = row.find(key);
  return field ? field->text(test, want) : std::string_view();
}

std::vector<NewestNode> nodes_of(const Field& field) {
  std::vector<NewestNode> result;
  for (const auto& [family, number] : field.members()) {
    if (!is_family(family)) number.fail("is not a family of version nodes; write upper case letters: GLIBCXX");
    result.push_back({std::string(family), std::string(number.text(is_dotted_number, dotted_number_words))});
  }
  return result;
}

void read_libc(const Field& field, KnownSystem& system) {
  if (!field.object({"family", "version"}, {})) return;
  const auto is_libc = [](std::string_view text) { return text == "glibc" || text == "musl"; };
  system.libc = field.find("family")->text(is_libc, "glibc or musl") == "musl" ? Libc::Musl : Libc::Glibc;
  parse_version(field.find("version")->text(is_dotted_number, dotted_number_words), system.libc_version);
}

std::vector<SystemMachine> machines_of(const Field& field) {
  std::vector<SystemMachine> result;
  for (const auto& [name, nodes] : field.members()) {
    const std::optional<Arch> arch = arch_from_name(name);
    if (!arch) nodes.fail("is not an architecture of a platform tag");
    result.push_back({arch.value_or(Arch::Other), nodes_of(nodes)});
  }
  if (result.empty()) field.fail("names no architecture; add one: {\"x86_64\": {}}");
  std::ranges::sort(result, {}, &SystemMachine::arch);
  return result;
}

}  // namespace

std::vector<KnownSystem> systems_of(const Field& table) {
  std::vector<KnownSystem> result;
  for (const Field& row : table.items("id")) {
    if (!row.object({"id", "distribution", "version", "libc", "nodes", "architectures", "basis"},
                    {"codename", "named_nodes", "absent_libraries", "x86_64_level", "released", "support_ends"}))
      break;
    KnownSystem& one = result.emplace_back();
    one.id = row.find("id")->text(is_system_id, system_id_words);
    one.distribution = row.find("distribution")->text(is_plain, plain_words);
    one.version = row.find("version")->text(is_plain, plain_words);
    one.codename = optional_text(row, "codename", is_system_id, system_id_words);
    read_libc(*row.find("libc"), one);
    one.nodes = nodes_of(*row.find("nodes"));
    if (const auto named = row.find("named_nodes")) {
      const std::vector<std::string_view> nodes = named->texts(is_node, node_words);
      one.named_nodes.assign(nodes.begin(), nodes.end());
    }
    if (const auto absent = row.find("absent_libraries")) {
      const std::vector<std::string_view> libraries = absent->texts(is_plain, plain_words);
      one.absent_libraries.assign(libraries.begin(), libraries.end());
    }
    one.machines = machines_of(*row.find("architectures"));
    if (const auto level = row.find("x86_64_level")) one.x86_64_level = level->number(1, 4);
    one.released = optional_text(row, "released", is_day, day_words);
    one.support_ends = optional_text(row, "support_ends", is_day, day_words);
    one.basis = row.find("basis")->text(is_plain, plain_words);
  }
  return result;
}

}  // namespace wheelcheck::knowledge
