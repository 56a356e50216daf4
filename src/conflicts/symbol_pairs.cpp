// Holds the two definitions of each taken name against each other: what they are, how large they are, and whether the
// C++ ABI means them to be shared.
#include <algorithm>

#include "conflicts/internal.h"
#include "mangling/mangled.h"

namespace wheelcheck::conflicts {
namespace {

const Export* export_of(const Installation& installation, ObjectIndex object, std::uint32_t index) {
  const ElfFacts* const facts = installation.world.files[object.value].facts;
  if (facts == nullptr || !facts->dynamic || index >= facts->dynamic->exports.size()) return nullptr;
  return &facts->dynamic->exports[index];
}

enum class Nature { Unknown, Code, Data, Tls };

Nature nature_of(const Export& symbol) {
  switch (symbol.kind) {
    case SymbolKind::Function:
    case SymbolKind::Ifunc:
      return Nature::Code;
    case SymbolKind::Object:
    case SymbolKind::Common:
      return Nature::Data;
    case SymbolKind::Tls:
      return Nature::Tls;
    case SymbolKind::NoType:
    case SymbolKind::Other:
      break;
  }
  return Nature::Unknown;
}

// Two copies of a type's identity are one type where their names are equal (Itanium C++ ABI 2.9.1), and what a header
// of the standard library gives to each of its users is alike in all of them. The name of a type and its guard carry no
// layout at all.
bool may_be_shared(std::string_view name, const Attribution& what) {
  if (what.standard) return true;
  const Mangled mangled = read_mangled(name);
  return mangled.made == Mangled::Made::TypeinfoName || mangled.made == Mangled::Made::Typeinfo ||
         mangled.made == Mangled::Made::Guard;
}

}  // namespace

std::vector<Measured> measure(const Installation& installation, const Relation& relation, const Attributor& attribute) {
  std::vector<Measured> out;
  out.reserve(relation.symbols.size());
  for (const TakenSymbol& symbol : relation.symbols) {
    Measured measured{.symbol = &symbol,
                      .own = export_of(installation, relation.own, symbol.own),
                      .taken = export_of(installation, relation.provider, symbol.taken)};
    if (measured.own != nullptr && measured.taken != nullptr) {
      const Nature own = nature_of(*measured.own), taken = nature_of(*measured.taken);
      const bool known = own != Nature::Unknown && taken != Nature::Unknown;
      measured.kind_differs = known && own != taken;
      measured.size_differs = known && own == taken && own != Nature::Code && measured.own->size != 0 &&
                              measured.taken->size != 0 && measured.own->size != measured.taken->size;
    }
    measured.standard = may_be_shared(symbol.name, attribute(symbol.name)) && !measured.kind_differs;
    // The typeinfo of a class is larger with each base.
    if (measured.standard && measured.size_differs) measured.size_differs = false;
    out.push_back(measured);
  }
  return out;
}

Tally tally(std::span<const Measured> symbols) {
  Tally out;
  out.symbols = static_cast<std::uint32_t>(symbols.size());
  for (const Measured& each : symbols) {
    out.standard += each.standard ? 1U : 0U;
    out.kind_differs += each.kind_differs ? 1U : 0U;
    out.size_differs += each.size_differs ? 1U : 0U;
    if (each.own == nullptr || each.taken == nullptr || each.kind_differs) continue;
    const Nature nature = nature_of(*each.own);
    if (nature == Nature::Code) {
      ++out.functions;
      out.functions_equal += each.own->size == each.taken->size ? 1U : 0U;
    } else if (nature != Nature::Unknown) {
      ++out.data;
    }
  }
  return out;
}

}  // namespace wheelcheck::conflicts
