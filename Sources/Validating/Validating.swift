// Checks rows of a session against the pack and returns findings. It uses rules and schemas, and
// knows neither SQL nor the readers of the findings.
//
// - `Validator`: the whole validation. `ValidationSummary` contains its counts.
// - `Fields/`: one pass over the rows of an entity. `EntityPlan` compiles the checks, and `RowPass`
//   runs them over numbers and bytes.
// - `Photos/`: the files of photos, compared with their records.
// - `Parameters/`: the parameter schemas of families, and the check of values against them.
// - `Tables/`: uniqueness, references, counts and the pack's queries, run by the replica.
// - `Findings/`: the names of rows in findings, and quoted values.
