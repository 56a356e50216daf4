// What generated code asks of the runtime library when it is loaded; each wheel has a release of its own inside.
#pragma once

namespace google::protobuf {

namespace internal {
// `needed` is what the headers say that the code was generated for.
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
