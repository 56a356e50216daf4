# The files of policies/ as constants. No JSON is parsed at start unless the user adds a policy.
function(wheelcheck_embed_policies out)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/policies/*.json)
  wheelcheck_embed(path embedded_policies ${files})
  set(${out} ${path} PARENT_SCOPE)
endfunction()
