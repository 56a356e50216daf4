// A class that is compiled into both the server and the worker, because both are built with its library.
#pragma once

struct Message {
  virtual ~Message();
};
struct Reply : Message {
  ~Reply() override;
};

// How libraries without RTTI identify a type: by the address of a variable, of which a process should have only one.
template <class T>
const void* type_id() {
  static char here;
  return &here;
}
