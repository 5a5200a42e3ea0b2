internal import Foundation

/// A column as `mdb-schema` tells it: `[Cost]  Currency,`.
struct AccessColumn {
    enum Content { case text, number, boolean, dateTime, bytes }

    let name: String
    let content: Content

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
            } else if ["Byte", "Integer", "Long Integer", "Currency", "Single", "Double", "Numeric", "BigInt"].contains(where: { type.hasPrefix($0) }) {
                .number
            } else {
                .text
            }
    }
}
