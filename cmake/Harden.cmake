# Compiler options that limit the effect of a bug in the installed program, which reads untrusted files. They are not
# used with sanitizers, which check more strictly; fortified functions need optimization.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported()  # position-independent programs get -pie as well

set(WHEELCHECK_HARDENED "")  # the flags in use for which there is no macro
if(WHEELCHECK_SANITIZE)
  return()
endif()
foreach(flag IN ITEMS -fstack-clash-protection -fcf-protection -ftrivial-auto-var-init=zero)
  string(MAKE_C_IDENTIFIER "WHEELCHECK_HAS${flag}" has)
  check_cxx_compiler_flag(${flag} ${has})  # control-flow protection exists only on x86
  if(${has})
    target_compile_options(wheelcheck_options INTERFACE ${flag})
    string(APPEND WHEELCHECK_HARDENED "${flag} ")
  endif()
endforeach()
# Among the flags of optimization, because tests/ replaces both.
foreach(config IN ITEMS RELEASE RELWITHDEBINFO)
  string(APPEND CMAKE_CXX_FLAGS_${config} " -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
endforeach()
