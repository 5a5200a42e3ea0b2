internal import Foundation

/// A column as `mdb-schema` prints it: `[Cost]  Currency,`.
struct AccessColumn {
    enum Content: Equatable {
        case text, number, boolean, dateTime, bytes
        /// A replication id, which `mdb-export` prints as the hexadecimal form of its text.
        case identifier
        /// A value that Access computes, read from the pages of the file.
        case calculated(AccessResult)
        /// A type for which mdbtools prints nothing or something wrong, by Access's name for it.
        case unreadable(String)
    }

    let name: String
    var content: Content

    init?(line: Substring) {
        guard let end = line.range(of: "]\t", options: .backwards) else { return nil }
        name = String(line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound])
        let type = line[end.upperBound...].drop { $0 == "\t" || $0 == " " }
        content =
            if type.hasPrefix("Boolean") {
                .boolean
            } else if type.hasPrefix("DateTime") {
                .dateTime
            } else if type.hasPrefix("OLE") || type.hasPrefix("Binary") {
                .bytes
            } else if type.hasPrefix("Replication ID") {
                .identifier
            } else if ["Byte", "Integer", "Long Integer", "Currency", "Single", "Double", "Numeric", "BigInt"].contains(where: { type.hasPrefix($0) }) {
                .number
            } else if type.hasPrefix("Text") || type.hasPrefix("Memo") {
                .text
            } else if type.hasPrefix("Unknown_0012") {
                // Its cells only refer to rows of an internal table of the database.
                .unreadable("attachment or multi-valued field")
            } else if type.hasPrefix("Unknown_0014") {
                .unreadable("Date/Time Extended")
            } else {
                .unreadable(type.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces))
            }
    }

    /// The type if it cannot be read; nil for a readable column.
    var unreadableType: String? {
        if case .unreadable(let type) = content { type } else { nil }
    }
}
