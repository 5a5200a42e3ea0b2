// Into Patterns come a pattern and texts; out of it come whether they match, within bounds of time.
// It knows PCRE2, and nothing of packs.
//
// - `Pattern` compiles a pattern once and matches whole texts, as bytes or as `String`, within
//   fixed limits of work and memory.
// - `PatternError` says what is wrong with a pattern and where.
