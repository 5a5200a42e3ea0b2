import ArgumentParser
import Importing
import Model

/// How tables in text files are read, if what is detected from their bytes is wrong.
struct TextOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "How the bytes of a table in a text file are characters; found from them by default.",
            discussion: TextEncoding.allCases.map(\.rawValue).joined(separator: ", ") + ".", valueName: "encoding"))
    var encoding: TextEncoding?

    @Option(
        name: .long,
        help: ArgumentHelp("What separates the cells of a CSV file: one character, or tab; found from the file by default.", valueName: "character"))
    var delimiter: String?

    @Flag(name: .long, help: "Read tables of dBase and FoxPro whose memo file is missing, with empty memos.")
    var withoutMemos = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Leave out what has such a name in a folder, * for any letters; may be repeated.", valueName: "pattern"))
    var exclude: [String] = []

    func validate() throws {
        guard let delimiter, separator == nil else { return }
        throw ValidationError(
            "--delimiter takes one character of ASCII that is no letter, digit, quote, point or line end, or the word tab: not \(delimiter).")
    }

    /// Letters and digits are refused because they would cut values apart; a quote or a point is
    /// part of values.
    private var separator: UInt8? {
        guard let delimiter else { return nil }
        if delimiter.lowercased() == "tab" { return 0x09 }
        guard let character = delimiter.first, delimiter.count == 1, let byte = character.asciiValue, byte == 0x09 || (0x20...0x7E).contains(byte),
            !character.isLetter, !character.isNumber, !"\"'.".contains(character)
        else { return nil }
        return byte
    }

    /// The table options with the bounds of a run.
    ///
    /// - Parameter own: files in a folder that are not part of the source.
    func table(_ limits: TableLimits, leavingOut own: ReplicaFiles = ReplicaFiles()) -> TableOptions {
        var options = TableOptions(limits: limits, encoding: encoding, separator: separator)
        (options.isWithoutMemos, options.own, options.excluded) = (withoutMemos, own, exclude)
        return options
    }
}

extension TextEncoding: ExpressibleByArgument {}
