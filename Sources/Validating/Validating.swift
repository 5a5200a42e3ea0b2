// Into Validating come rows of a session and the pack's checks; out of it come findings. It knows
// rules and schemas, and neither SQL nor who reads the findings.
//
// - `Validator`     the whole of it; `ValidationSummary` says what was looked at, `FindingReport`
//   writes findings for people and programs
// - `Fields/`       one pass over the rows of an entity: `EntityPlan` compiles the checks,
//   `RowPass` runs them over numbers and bytes
// - `Expressions/`  the pack's expression language as programs over a row, with three-valued logic
// - `Parameters/`   a family's parameter schema and the values that it judges
// - `Tables/`       uniqueness, references, counts and the pack's queries, as SQL over the plain
//   table names
// - `Findings/`     how findings get their row's name, and how values are quoted
