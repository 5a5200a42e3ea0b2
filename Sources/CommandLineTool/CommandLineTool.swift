// Reads a command line, the configuration and the environment; writes files, messages for people or
// JSON for programs, and returns an exit code. It connects all other folders; none of them knows
// it.
