// The functions of the runtime library that generated code calls when it is loaded. Each wheel has a release of its own
// linked in.
#pragma once

namespace google::protobuf {

namespace internal {
// `needed` is the version that the code was generated for, according to the headers.
void VerifyVersion(int headers, int needed, const char* file);
int InstalledVersion();
}  // namespace internal

class DescriptorPool {
 public:
  static DescriptorPool* internal_generated_pool();
  void InternalAddGeneratedFile(const char* name);

 private:
#if PROTOBUF_VERSION >= 3021000
  void* mutex_ = nullptr;
#endif
  const char* files_[8] = {};
};

}  // namespace google::protobuf
