// Compiles patterns and matches texts with them, within limits of time. The code uses PCRE2, and
// knows nothing of packs.
//
// - `Pattern` compiles a pattern once and matches whole texts, as bytes or as `String`, within
//   fixed limits of work and memory.
// - `PatternError` gives the reason why a pattern is invalid, and the place.
