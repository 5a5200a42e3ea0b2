// Into CommandLineTool come a command line, the configuration and the environment; out of it come
// files, messages for people or JSON for programs, and an exit code. It knows all other rooms, and
// brings them together; none of them knows it.
