// Importing reads files and folders of other programs, packages and event logs. It produces rows of
// the pack's entities, and reports what it could not read and why. It knows the formats and the
// pack's mappings, but not the replica or the commands.
