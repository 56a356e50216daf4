# What scripts/wheelcheck leaves: it builds the program alone. Installing builds the rest.
file(REMOVE ${BUILD}/share/wheelcheck.1.gz ${BUILD}/share/_wheelcheck ${BUILD}/debian/changelog.gz)

# run(COMMAND...): runs the command and sets RUN_OUTPUT to its output. Ends the script if the command fails.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${status}\n${output}")
  endif()
  set(RUN_OUTPUT "${output}" PARENT_SCOPE)
endfunction()
