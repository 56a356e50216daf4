# What the compiler can do against a fault of ours in what is installed: the program reads what strangers made. Sanitizers
# bring stricter checks of their own, and fortified functions need an optimising compiler.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported()  # position-independent programs get -pie as well

set(WHEELCHECK_HARDENED "")  # the flags that are used, and that no macro tells of
if(WHEELCHECK_SANITIZE)
  return()
endif()
foreach(flag IN ITEMS -fstack-clash-protection -fcf-protection -ftrivial-auto-var-init=zero)
  string(MAKE_C_IDENTIFIER "WHEELCHECK_HAS${flag}" has)
  check_cxx_compiler_flag(${flag} ${has})  # control-flow protection is of x86 alone
  if(${has})
    target_compile_options(wheelcheck_options INTERFACE ${flag})
    string(APPEND WHEELCHECK_HARDENED "${flag} ")
  endif()
endforeach()
target_compile_options(wheelcheck_options INTERFACE $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3>)
