// A class that server and worker both have inside, as both were built with the library that it is of.
#pragma once

struct Message {
  virtual ~Message();
};
struct Reply : Message {
  ~Reply() override;
};

// How libraries without RTTI tell types apart: by the address of a variable that should be one for the process.
template <class T>
const void* type_id() {
  static char here;
  return &here;
}
