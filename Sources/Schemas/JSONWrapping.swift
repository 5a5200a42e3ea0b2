package import JSONReading

/// Handles values as the field app writes them: wrapped with their type, and present even if
/// nothing was entered.
package enum JSONWrapping {
    private static let typeName = Array("type".utf8)
    private static let valueEnding = Array("Value".utf8)

    /// The plain value of `{"type": "number", "numberValue": 3}`; any other value unchanged. A
    /// wrapper that contains no value is returned itself; `isMissing` recognises it.
    package static func unwrapped(_ value: Int, _ tokens: [JSONDocument.Token], _ bytes: [UInt8]) -> Int {
        guard tokens[value].kind == .object else { return value }
        var (isWrapped, held) = (false, -1)
        var key = value + 1
        while key < tokens[value].end {
            let name = bytes[tokens[key].range]
            if name.elementsEqual(typeName), tokens[key + 1].kind == .string { isWrapped = true }
            if held < 0, name.suffix(valueEnding.count).elementsEqual(valueEnding), tokens[key + 1].kind != .null { held = key + 1 }
            key = tokens[key + 1].end
        }
        return isWrapped && held >= 0 ? held : value
    }

    /// Whether it counts as no value: null, a text of white space only, or a type without a value.
    package static func isMissing(_ value: Int, _ tokens: [JSONDocument.Token], _ bytes: [UInt8]) -> Bool {
        switch tokens[value].kind {
        case .null: return true
        case .string:
            let range = tokens[value].range
            for index in range where bytes[index] != 0x20 && !(0x09...0x0D).contains(bytes[index]) {
                return bytes[index] >= 0x80 && String(decoding: bytes[range], as: UTF8.self).allSatisfy(\.isWhitespace)
            }
            return true
        case .object:
            // The caller has already unwrapped an object that holds a value.
            var key = value + 1
            while key < tokens[value].end {
                if bytes[tokens[key].range].elementsEqual(typeName), tokens[key + 1].kind == .string { return true }
                key = tokens[key + 1].end
            }
            return false
        default: return false
        }
    }
}
