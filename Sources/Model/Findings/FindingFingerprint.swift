internal import Digests

extension Finding {
    /// Identifies a finding by code and place, the same from run to run: 32 hexadecimal digits of
    /// the SHA-256 of both.
    ///
    /// It does not include the values and the row's name for people: a row that was renamed, or
    /// that is wrong with another value, still has the same finding. Several findings of one code
    /// at one place share a fingerprint.
    package var fingerprint: String {
        // The id identifies a row of the replica; all known parts identify a spot in a file.
        let parts: [String?] =
            place.id != nil
            ? [code, place.table, place.id, place.field, place.pointer]
            : [
                code, place.table, place.file, place.sheet, place.cell, place.line.map(String.init), place.column.map(String.init),
                place.field, place.pointer,
            ]
        // No part may have a unit separator, so that no two places give the same text.
        let text = parts.map { ($0 ?? "").replacing("\u{1F}", with: "\u{FFFD}") }.joined(separator: "\u{1F}")
        return String(SHA256.digest(of: text).hexadecimal.prefix(32))
    }
}
