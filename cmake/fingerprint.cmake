# cmake -DOUT=FILE -DROOT=DIR -DALSO=TEXT "-DFILES=a;b" -P fingerprint.cmake: writes one hash of these files as a C++
# constant.
set(all "${ALSO}\n")
foreach(file IN LISTS FILES)
  file(SHA256 ${ROOT}/${file} hash)
  string(APPEND all "${file} ${hash}\n")
endforeach()
string(SHA256 fingerprint "${all}")
string(SUBSTRING ${fingerprint} 0 16 fingerprint)
file(WRITE ${OUT} "// Written by the build.\nnamespace wheelcheck {\n\nextern const char* const reader_fingerprint;\nconst char* const reader_fingerprint = \"${fingerprint}\";\n\n}  // namespace wheelcheck\n")
