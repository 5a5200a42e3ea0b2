// The types that all stages share: values made by one stage and read by the next. The folder
// knows no stage and no file format, and runs no SQL.
//
// - `Pack/`: the content of a pack: entities, fields, vocabularies, roles, records, rules, exports,
//   jobs, texts. Each type reads itself from a `PackNode`, a node of a checked file.
// - `Report/`: the content of a report's template.
// - `Expressions/`: the language of conditions and values in packs: its tree, parser, types, and
//   the programs that evaluate it over rows.
// - `Rows/`: bulk rows: batches of cells as numbers and UTF-8 bytes.
// - `Findings/`: faults of data, as values, and the catalogue of their codes.
// - `Run/`: the actor, time and language of a run; selections and lines of deliveries; failures
//   with their exit codes; signals, temporary folders, and the queue between threads.
// - `Time/`: days, periods, instants, and the clock of an office.
// - `Export/`: sheets, columns and cover, for every writer.
