package import Model

/// Why a foreign file cannot be read, or not to its end: exit code 65, nothing is imported.
package enum TableFailure: Failure, Equatable {
    /// The file does not have the format that it claims: it is truncated or contradicts itself. The
    /// reason is in English, for the log and the message.
    case damaged(Place, kind: String, reason: String)
    case encrypted(path: String, kind: String)
    /// The file exceeds a limit that protects this machine. `limit` is its name in
    /// `ReadingBound.all` with its value, `rows 1048576`; `found` is the value in the file, if
    /// reading went far enough to know it.
    case tooLarge(Place, kind: String, limit: String, found: String? = nil)
    /// A required program or library is not installed.
    case needs(path: String, kind: String, what: String)
    /// A property list that holds the objects of a program (NSKeyedArchiver) instead of values.
    case keyedArchive(Place)
    /// A table whose memo file is missing; `name` is the common name of both files without ending.
    case missingMemo(Place, name: String)

    package var code: String {
        switch self {
        case .damaged: "TABLE-DAMAGED"
        case .encrypted: "TABLE-ENCRYPTED"
        case .tooLarge: "TABLE-TOO-LARGE"
        case .needs: "TABLE-NEEDS"
        case .keyedArchive: "TABLE-KEYED-ARCHIVE"
        case .missingMemo: "TABLE-NO-MEMO"
        }
    }

    package var exitCode: ExitCode { .badInput }

    package var arguments: [String: String] {
        switch self {
        case .damaged(let place, let kind, let reason): ["path": place.file ?? "", "kind": kind, "reason": reason]
        case .encrypted(let path, let kind): ["path": path, "kind": kind]
        case .tooLarge(let place, let kind, let limit, let found): Self.bound(place, kind, limit, found)
        case .needs(let path, let kind, let what): ["path": path, "kind": kind, "what": what]
        case .keyedArchive(let place): ["path": place.file ?? ""]
        case .missingMemo(let place, let name): ["path": place.file ?? "", "name": name]
        }
    }

    package var place: Place? {
        switch self {
        case .damaged(let place, _, _), .tooLarge(let place, _, _, _), .keyedArchive(let place), .missingMemo(let place, _): place
        case .encrypted(let path, _), .needs(let path, _, _): Place(file: path)
        }
    }

    private static func bound(_ place: Place, _ kind: String, _ limit: String, _ found: String?) -> [String: String] {
        let parts = limit.split(separator: " ", maxSplits: 1)
        let value = parts.count > 1 ? String(parts[1]) : ""
        return [
            "path": place.file ?? "", "kind": kind, "limit": limit, "name": String(parts.first ?? ""), "value": value, "found": found ?? "> \(value)",
        ]
    }
}
