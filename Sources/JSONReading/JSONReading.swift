// Into JSONReading come JSON from outside; out of it come values and rows, read within limits and
// without loss, or the mistake and its place. It knows the standard, and nothing of what the values
// mean.
//
// - `JSONValue`   one value; numbers as they were written, members in their order; can be written
//   as JSON again
// - `JSONRows`    the rows of a file of any size, passed to a `JSONRowTaker` as they are parsed:
//   array, object with an array, or one object per line
// - `JSONMistake` what is wrong with a text, and where
// - `JSONLimits`  how deep, long and large a text may be
// - `JSONParser`  the only type that calls YAJL; `JSONByteCheck` finds mistakes that YAJL accepts
