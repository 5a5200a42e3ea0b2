import ArgumentParser
import Importing

/// `--limit NAME=VALUE`: one bound of the readers for one run, which overrides the configuration.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp(
            "A bound on what a file may make this machine do, e.g. cellBytes=64M; may be repeated.",
            discussion: "fichero describe --limits lists them. The configuration's limits: sets them for good.", valueName: "name=value"))
    var values: [String] = []

    /// The bounds of a run: the configuration's, overridden by these.
    func applied(to configured: TableLimits) throws(SettingFailure) -> TableLimits {
        try Self.apply(values, to: configured)
    }

    static func apply(_ values: [String], to configured: TableLimits) throws(SettingFailure) -> TableLimits {
        var limits = configured
        for text in values {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw .limitInvalid(text) }
            do {
                try limits.set(parts[0], to: parts[1])
            } catch .unknown(let name, let known) {
                throw .limitUnknown(name, known: known)
            } catch {
                throw .limitInvalid(text)
            }
        }
        return limits
    }
}
