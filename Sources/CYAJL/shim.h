#include <yajl/yajl_parse.h>

// yajl_config takes any number of arguments, which Swift cannot call: one value after the other is read.
static inline int cyajl_allow_many_values(yajl_handle handle) { return yajl_config(handle, yajl_allow_multiple_values, 1); }
