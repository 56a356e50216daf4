// serverd WORKER FLAGS WHAT: opens the worker, and lets it print, or uses the object that it returns.
#include <dlfcn.h>
#include <stdio.h>

#include <iostream>
#include <string>
#include <typeinfo>

#include "message.h"

template <class Function>
Function* of_worker(void* worker, const char* name) {
  return reinterpret_cast<Function*>(dlsym(worker, name));
}

static bool catches(void (*throws)()) {
  try {
    throws();
  } catch (const Message&) {
    return true;
  } catch (...) {
  }
  return false;
}

int main(int, char** words) {
  std::cout << "server" << std::endl;
  const std::string flags = words[2], what = words[3];
  void* const worker = dlopen(words[1], RTLD_NOW | (flags == "deepbind" ? RTLD_DEEPBIND : 0));
  if (worker == nullptr) return puts(dlerror()), 1;
  if (what == "facet") return printf("has facet: %d\n", of_worker<bool()>(worker, "run_has_facet")()), 0;
  if (what == "print") return of_worker<void()>(worker, "run_print")(), 0;
  Message* const message = of_worker<Message*()>(worker, "run_make")();
  printf("id %d, typeinfo %d, cast %d, caught %d\n",
         of_worker<const void*()>(worker, "run_type_id")() == type_id<Reply>(),
         of_worker<const void*()>(worker, "run_typeinfo")() == &typeid(Reply), dynamic_cast<Reply*>(message) != nullptr,
         catches(of_worker<void()>(worker, "run_throw")));
  return 0;
}
