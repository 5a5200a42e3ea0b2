// Reads the folder of a pack, and returns a checked pack, or every mistake in it with its place. It
// knows YAML and the pack format, and no rows.
//
// - `PackLoader` loads a pack with the core, and returns a complete `Pack` or every mistake in it.
// - `Format/` declares the pack format once: `PackFormat`, on which `ShapeCheck` and the JSON
//   Schema depend, and `Shape`
// - `Reading/` reads YAML with the place of every node (`YAMLReader`, `YAMLNode`), and the files of
//   a folder (`PackFolder`)
// - `PackBuilder` builds a pack from the types of `Model`, which read themselves from `PackNode`s
// - `Keeping/` caches parsed packs without mistakes between commands: `KeptPacks`
// - `Checks/` looks up the names that shapes declare (`ReferenceCheck`), and checks what shapes
//   cannot express: keys that depend on each other, expressions, missing texts
// - `Mistakes/` has `PackMistake` with its texts in three languages, and `PackFailure`
// - `PackDescription` describes a pack as text, Markdown and JSON
