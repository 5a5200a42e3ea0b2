// Into Validating come rows of a session and the pack's checks; out of it come findings. It knows
// rules and schemas, and neither SQL nor who reads the findings.
//
// - `Validator`: the whole validation. `ValidationSummary` states its counts.
// - `Fields/`: one pass over the rows of an entity. `EntityPlan` compiles the checks, and `RowPass`
//   runs them over numbers and bytes.
// - `Photos/`: the files of photos, compared with their records.
// - `Parameters/`: the parameter schemas of families, and the values that they judge.
// - `Tables/`: uniqueness, references, counts and the pack's queries, as questions that the replica
//   answers.
// - `Findings/`: the names of rows in findings, and the quotation of values.
