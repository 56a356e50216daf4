// Makes the process end with a documented exit code whatever its environment is: closed streams, limits on memory and
// on the size of files.
#pragma once

namespace wheelcheck::cli {

// Called once, before anything is opened.
void prepare_process();

}  // namespace wheelcheck::cli
