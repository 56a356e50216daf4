// A registry in a template, as in header-only libraries. g++ makes its state STB_GNU_UNIQUE: one per process.
#include "module.h"

namespace registry {

template <class T>
struct Registry {
  struct State {
#if RELEASE > 1
    long magic = 1234;
    long version = RELEASE;
#endif
    long users = 0;
  };
  static State state;
};
template <class T>
typename Registry<T>::State Registry<T>::state;

}  // namespace registry

NUMBER(join, ++registry::Registry<int>::state.users)
MODULE(_registry, METHOD(join))
