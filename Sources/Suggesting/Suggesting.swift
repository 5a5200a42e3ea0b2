// Suggesting looks at a foreign file and writes what a person then corrects: a mapping to a pack that there is
// (Mappings), or a first pack (Packs). It reads files with the readers of Importing. No import needs it.
