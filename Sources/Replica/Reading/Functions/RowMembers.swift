import Model

/// The names of a row's fields as members of a JSON object: `,"code":`, each beginning with a
/// comma, one after the other.
struct RowMembers {
    let bytes: [UInt8]
    /// The end of each name in `bytes`, preceded by 0.
    let ends: [Int]

    init(_ names: [String]) {
        var bytes: [UInt8] = []
        var ends = [0]
        for name in names {
            bytes += ("," + RowJSON.quoted(name) + ":").utf8
            ends.append(bytes.count)
        }
        (self.bytes, self.ends) = (bytes, ends)
    }
}
