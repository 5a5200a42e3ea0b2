package import Model

/// Why the options that a person gave for an import (`--option NAME=VALUE`) are not those that its
/// mapping asks for. Nothing is imported.
package enum OptionFailure: Failure, Hashable {
    /// Not `NAME=VALUE`, or a name that was given twice.
    case malformed(String)
    case unknown(path: String, name: String, known: [String])
    /// `example` is how to give them.
    case missing(path: String, mapping: String, names: [String], example: String)
    /// The value is empty, longer than an option may be, or does not match the option's pattern.
    case value(path: String, name: String, value: String, expected: String)

    package var code: String {
        switch self {
        case .malformed: "OPTION-INVALID"
        case .unknown: "OPTION-UNKNOWN"
        case .missing: "OPTION-MISSING"
        case .value: "OPTION-VALUE"
        }
    }

    package var exitCode: ExitCode { .usage }

    package var arguments: [String: String] {
        switch self {
        case .malformed(let text): ["value": text]
        case .unknown(let path, let name, let known):
            [
                "path": path, "name": name, "nearest": Spelling.nearest(to: name, among: known).map { $0 + "?" } ?? "",
                "known": known.isEmpty ? "—" : known.joined(separator: ", "),
            ]
        case .missing(let path, let mapping, let names, let example):
            ["path": path, "mapping": mapping, "names": names.joined(separator: ", "), "example": example]
        case .value(let path, let name, let value, let expected): ["path": path, "name": name, "value": value, "expected": expected]
        }
    }

    package var place: Place? {
        switch self {
        case .malformed: nil
        case .unknown(let path, _, _), .missing(let path, _, _, _), .value(let path, _, _, _): Place(file: path)
        }
    }
}
