#include "simulate/causes.h"

#include <variant>

namespace wheelcheck::simulate_levels {
namespace {

struct Key {
  std::size_t kind;

  CauseKey operator()(const MachineRequirement& asks) const { return {kind, "", std::string(name_of(asks.arch))}; }
  CauseKey operator()(const IsaRequirement& asks) const { return {kind, "", std::to_string(asks.level)}; }
  CauseKey operator()(const LibraryRequirement& asks) const { return {kind, asks.library, ""}; }
  CauseKey operator()(const VersionRequirement& asks) const { return {kind, asks.library, asks.version}; }
  CauseKey operator()(const SymbolRequirement& asks) const { return {kind, asks.library, asks.symbol}; }
  CauseKey operator()(const InterpreterRequirement& asks) const { return {kind, "", asks.symbol}; }
  CauseKey operator()(const MissingVersionRequirement& asks) const { return {kind, asks.library, asks.version}; }
};

}  // namespace

CauseKey key_of(const Requirement& requirement) { return std::visit(Key{requirement.what.index()}, requirement.what); }

std::vector<std::string> symbols_of(const Requirement& requirement) {
  if (const auto* const version = std::get_if<VersionRequirement>(&requirement.what)) return version->symbols;
  if (const auto* const denied = std::get_if<SymbolRequirement>(&requirement.what)) return {denied->symbol};
  return {};
}

}  // namespace wheelcheck::simulate_levels
