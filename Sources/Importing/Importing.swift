// Reads files and folders of other programs, packages and logs of events. Produces rows of the
// pack's entities, and reports what could not be read and why. Formats and the pack's mappings are
// known here, but neither the replica nor commands.
