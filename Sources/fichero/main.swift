import CommandLineTool

Fichero.start(Array(CommandLine.arguments.dropFirst()))
