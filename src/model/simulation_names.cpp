// The words for what a simulation says of a wheel.
#include "wheelcheck/simulation.h"

namespace wheelcheck {

std::string_view name_of(Shift shift) {
  switch (shift) {
    case Shift::Same:
      break;
    case Shift::Gains:
      return "gains";
    case Shift::Loses:
      return "loses";
    case Shift::Mixed:
      return "mixed";
  }
  return "same";
}

}  // namespace wheelcheck
