internal import Digests

extension Finding {
    /// Identifies a finding by code and place, the same from run to run: 32 hexadecimal digits of
    /// the SHA-256 of both.
    ///
    /// It does not include the values and the row's name for people: a row that was renamed, or
    /// that is wrong with another value, still has the same finding. Several findings of one code
    /// at one place share a fingerprint.
    package var fingerprint: String {
        var maker = FingerprintMaker()
        maker.take(self)
        return String(decoding: maker.digits, as: UTF8.self)
    }
}

/// Makes the fingerprints of many findings, one after the other, in the same memory: a first check
/// of migrated data has a finding for every record.
package struct FingerprintMaker {
    /// The last finding's fingerprint as text.
    package private(set) var digits: [UInt8] = []
    private var text: [UInt8] = []

    private static let separator: UInt8 = 0x1F

    package init() {}

    package mutating func take(_ finding: Finding) {
        let place = finding.place
        text.removeAll(keepingCapacity: true)
        add(finding.code)
        next(place.table)
        // The id identifies a row of the replica; all known parts identify a spot in a file.
        if place.id != nil {
            next(place.id)
        } else {
            next(place.file)
            next(place.sheet)
            next(place.cell)
            next(place.line.map(String.init))
            next(place.column.map(String.init))
        }
        next(place.field)
        next(place.pointer)
        let sum = SHA256.digest(of: text.span)
        digits.removeAll(keepingCapacity: true)
        sum.first.appendHexadecimal(to: &digits)
        sum.second.appendHexadecimal(to: &digits)
    }

    private mutating func next(_ part: String?) {
        text.append(Self.separator)
        if let part { add(part) }
    }

    /// No part may have a separator, so that no two places give the same text.
    private mutating func add(_ part: String) {
        let start = text.count
        text.append(contentsOf: part.utf8)
        guard text[start...].contains(Self.separator) else { return }
        text.removeLast(text.count - start)
        for byte in part.utf8 {
            if byte == Self.separator { text.append(contentsOf: "\u{FFFD}".utf8) } else { text.append(byte) }
        }
    }
}
