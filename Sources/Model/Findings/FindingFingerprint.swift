internal import Digests

extension Finding {
    /// Names what is wrong and where, the same from run to run: 32 hexadecimal digits of the SHA-256 of the code and the place.
    ///
    /// The values in question and the row's name for people are no part of it: a row that was renamed, or that is wrong with another
    /// value, still has the same finding. Several findings of one code at one place share a fingerprint.
    package var fingerprint: String {
        // A row of the replica is known by its id; a spot in a file by all that there is.
        let parts: [String?] =
            place.id != nil
            ? [code, place.table, place.id, place.field, place.pointer]
            : [
                code, place.table, place.file, place.sheet, place.cell, place.line.map(String.init), place.column.map(String.init),
                place.field, place.pointer,
            ]
        // No part holds a unit separator, so that no two places read the same.
        let text = parts.map { ($0 ?? "").replacing("\u{1F}", with: "\u{FFFD}") }.joined(separator: "\u{1F}")
        return String(SHA256.digest(of: text).hexadecimal.prefix(32))
    }
}
