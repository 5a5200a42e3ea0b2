import ArgumentParser

/// What the rows of a file mean, for commands that read files of other programs.
struct MeaningOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The table that the rows of a JSON or NDJSON file belong to, or whose fields are the columns of a CSV file or a sheet.", valueName: "name"))
    var entity: String?

    @Option(name: .long, help: ArgumentHelp("The mapping by which the tables of the files are read: one of the pack by its name, or a file; found where only one of the pack fits.", valueName: "name-or-file"))
    var mapping: String?
}
