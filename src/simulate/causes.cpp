#include "simulate/causes.h"

#include <variant>

namespace wheelcheck::simulate_levels {
namespace {

struct Key {
  std::size_t kind;

  CauseKey operator()(const AsksMachine& asks) const { return {kind, "", std::string(name_of(asks.arch))}; }
  CauseKey operator()(const AsksIsa& asks) const { return {kind, "", std::to_string(asks.level)}; }
  CauseKey operator()(const AsksLibrary& asks) const { return {kind, asks.library, ""}; }
  CauseKey operator()(const AsksVersion& asks) const { return {kind, asks.library, asks.version}; }
  CauseKey operator()(const AsksSymbol& asks) const { return {kind, asks.library, asks.symbol}; }
  CauseKey operator()(const AsksInterpreter& asks) const { return {kind, "", asks.symbol}; }
  CauseKey operator()(const AsksMissingVersion& asks) const { return {kind, asks.library, asks.version}; }
};

}  // namespace

CauseKey key_of(const Requirement& requirement) { return std::visit(Key{requirement.what.index()}, requirement.what); }

std::vector<std::string> symbols_of(const Requirement& requirement) {
  if (const auto* const version = std::get_if<AsksVersion>(&requirement.what)) return version->symbols;
  if (const auto* const denied = std::get_if<AsksSymbol>(&requirement.what)) return {denied->symbol};
  return {};
}

}  // namespace wheelcheck::simulate_levels
