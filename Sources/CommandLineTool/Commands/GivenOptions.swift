import ArgumentParser
import Importing

/// `--option NAME=VALUE`: what a file does not say and the person who imports or checks it does, as
/// its mapping asks.
struct GivenOptions: ParsableArguments {
    @Option(
        name: .customLong("option"),
        help: ArgumentHelp(
            "What the mapping asks for and the file does not say, e.g. year=2019; may be repeated.",
            discussion: "fichero describe lists the options of each mapping.", valueName: "name=value"))
    var pairs: [String] = []

    /// The values by name. Throws `OptionFailure.malformed`.
    func values() throws(OptionFailure) -> [String: String] {
        var values: [String: String] = [:]
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            // A name that stands twice would hide one of its values.
            guard parts.count == 2, !parts[0].isEmpty, values.updateValue(parts[1], forKey: parts[0]) == nil else { throw .malformed(pair) }
        }
        return values
    }
}
