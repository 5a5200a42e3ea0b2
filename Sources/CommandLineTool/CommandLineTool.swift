// The door for people and schedulers: reads a command line, the configuration and the environment, asks the
// pipeline, prints texts or JSON, and returns an exit code. No other room knows the command line.
