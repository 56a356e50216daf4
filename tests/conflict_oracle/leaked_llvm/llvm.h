// Two releases of a C++ library: the same names with a different class. As in LLVM, the namespace does not contain the
// release.
#pragma once

namespace llvm {

class raw_ostream {
 public:
  raw_ostream();
  virtual ~raw_ostream();
#if LLVM_MAJOR >= 17
  virtual void reserveExtraSpace(unsigned long size);  // moves the following functions to the next entry of the vtable
#endif
  virtual void write_impl(const char* text, unsigned long size);
};

class raw_svector_ostream : public raw_ostream {
 public:
  explicit raw_svector_ostream(char* buffer);
  ~raw_svector_ostream() override;
  void write_impl(const char* text, unsigned long size) override;

 private:
  char* at_;
};

const char* getVersion();

namespace cl {
void AddLiteralOption(const char* name);
struct Option {
  explicit Option(const char* name) { AddLiteralOption(name); }
};
}  // namespace cl

}  // namespace llvm
