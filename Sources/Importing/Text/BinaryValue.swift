internal import Digests

/// Bytes that a file has for a value, as the text of its cell.
struct BinaryValue {
    /// Whether they may be a UUID: Apple's frameworks keep it as its 16 bytes. Other bytes are no
    /// value that a field could have.
    let isUUID: Bool
    let text: String

    init(_ bytes: ArraySlice<UInt8>) {
        isUUID = bytes.count == 16
        guard isUUID else {
            text = bytes.count <= 32 ? OldValueText.hexadecimal(bytes) : "\(bytes.count) bytes that are no text"
            return
        }
        var digits = bytes.hexadecimal
        for place in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
        text = digits
    }
}
