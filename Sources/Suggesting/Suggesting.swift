// Suggesting looks at a foreign file and writes what a person then corrects: a mapping to a pack that there is
// (Mappings), or a first pack (Packs). It knows the readers of Importing, which do not know it.
