// Reads untrusted JSON as values and rows, within limits and without loss, or reports a mistake
// with its place. The code knows the standard, and nothing of the meaning of the values.
//
// - `JSONValue`   one value; numbers as they were written, members in their order; can be written
//   as JSON again
// - `JSONRows`    the rows of a file of any size, passed to a `JSONRowHandler` as they are parsed:
//   array, object with an array, or one object per line
// - `JSONMistake` a mistake in a text, and its place
// - `JSONLimits`  how deep, long and large a text may be
// - `JSONParser`  the only type that calls YAJL; `JSONByteCheck` finds mistakes that YAJL accepts
