// Reads a command line, the configuration and the environment; writes files, text messages or JSON,
// and returns an exit code. Calls the other folders; none of them knows the command line.
