// Into Packs come the folder of a pack; out of it come a checked pack, or every mistake in it with
// its place. It knows YAML and the pack format, and no rows.
//
// Packs: Templates/ → `Pack`, checked.
//
// - `PackLoader` reads a pack with the core under it and gives a complete `Pack`, or every mistake
//   in it.
// - `Format/`  the pack format, declared once: `PackFormat` (drives `ShapeCheck` and the JSON
//   Schema), `Shape`
// - `Reading/` YAML with the place of every node: `YAMLReader`, `YAMLNode`; the folder's files:
//   `PackFolder`
// - `Keeping/` sound packs kept parsed from one command to the next: `KeptPacks`
// - `Building/` nodes → the words of `Model`, as far as the shape allows
// - `Checks/`  what no shape can say: names that lead nowhere, wrong types, texts that are missing
// - `Mistakes/` `PackMistake` with its words in three languages, `PackFailure`
// - `PackDescription` says what a pack holds, as text, Markdown and JSON
