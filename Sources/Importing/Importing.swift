// Into Importing come files and folders of other programs, packages, logs of events; out of it come
// rows of the pack's entities, and what could not be read and why. It knows the formats and the
// pack's mappings, and neither the replica nor commands.
