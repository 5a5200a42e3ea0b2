// Patterns: text patterns (PCRE2) that cannot run away.
//
// - `Pattern` compiles a pattern once and matches whole texts, as bytes or as `String`, within fixed limits of work and memory.
// - `PatternError` says what is wrong with a pattern and where.
