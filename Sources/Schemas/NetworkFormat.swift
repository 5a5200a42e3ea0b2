/// Names and addresses of the Internet: RFC 1123, 2673, 4291, 5321 and 3986.
enum NetworkFormat {
    static func isIPv4(_ text: Span<UInt8>) -> Bool { isIPv4(text, 0) }

    private static func isIPv4(_ text: Span<UInt8>, _ start: Int) -> Bool {
        var (parts, digits, value, index) = (1, 0, 0, start)
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: ".") {
                guard digits > 0 else { return false }
                (parts, digits, value) = (parts + 1, 0, 0)
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            // Some programs would read a leading zero as octal.
            guard digit <= 9, digits == 0 || value > 0 else { return false }
            (digits, value) = (digits + 1, value * 10 + Int(digit))
            guard digits <= 3, value <= 255 else { return false }
        }
        return parts == 4 && digits > 0
    }

    static func isIPv6(_ text: Span<UInt8>) -> Bool {
        var (groups, digits, index, start) = (0, 0, 0, 0)
        var hasGap = false
        guard text.count >= 2, text.count <= 45 else { return false }
        if text[0] == UInt8(ascii: ":") {
            guard text[1] == UInt8(ascii: ":") else { return false }
            (hasGap, index) = (true, 2)
        }
        start = index
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ":") {
                index += 1
                if digits == 0 {
                    guard !hasGap, groups > 0 else { return false }
                    hasGap = true
                } else {
                    (groups, digits) = (groups + 1, 0)
                    // An address cannot end with a single colon.
                    if index == text.count { return false }
                    if text[index] == UInt8(ascii: ":") {
                        guard !hasGap else { return false }
                        (hasGap, index) = (true, index + 1)
                    }
                }
                start = index
            } else if byte == UInt8(ascii: ".") {
                guard groups <= 6, isIPv4(text, start) else { return false }
                return hasGap ? groups < 6 : groups == 6
            } else {
                guard byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") < 6, digits < 4 else {
                    return false
                }
                (digits, index) = (digits + 1, index + 1)
            }
        }
        if digits > 0 { groups += 1 }
        return hasGap ? groups < 8 : groups == 8
    }

    static func isHostname(_ text: Span<UInt8>) -> Bool { isHostname(text, 0) }

    private static func isHostname(_ text: Span<UInt8>, _ start: Int) -> Bool {
        guard text.count > start, text.count - start <= 253 else { return false }
        var length = 0
        for index in start..<text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ".") {
                guard length > 0, text[index - 1] != UInt8(ascii: "-") else { return false }
                length = 0
                continue
            }
            let isHyphen = byte == UInt8(ascii: "-")
            guard isHyphen ? length > 0 : isLetterOrDigit(byte) else { return false }
            length += 1
            guard length <= 63 else { return false }
        }
        return length > 0 && text[text.count - 1] != UInt8(ascii: "-")
    }

    static func isEmail(_ text: Span<UInt8>) -> Bool {
        var at = -1
        for index in 0..<text.count where text[index] == UInt8(ascii: "@") { at = index }
        guard at > 0, at <= 64 else { return false }
        let isQuoted = text[0] == UInt8(ascii: "\"")
        if isQuoted {
            guard at >= 3, text[at - 1] == UInt8(ascii: "\"") else { return false }
        } else {
            var previous = UInt8(ascii: ".")
            for index in 0..<at {
                let byte = text[index]
                if byte == UInt8(ascii: ".") {
                    if previous == byte { return false }
                } else if byte < 0x80, !isLetterOrDigit(byte), !"!#$%&'*+-/=?^_`{|}~".utf8.contains(byte) {
                    return false
                }
                previous = byte
            }
            if previous == UInt8(ascii: ".") { return false }
        }
        if at + 2 < text.count, text[at + 1] == UInt8(ascii: "["), text[text.count - 1] == UInt8(ascii: "]") {
            let inner = text.extracting((at + 2)..<(text.count - 1))
            return isIPv4(inner) || hasPrefix(inner, "IPv6:") && isIPv6(inner.extracting(5...))
        }
        return isHostname(text, at + 1)
    }

    private static func hasPrefix(_ text: Span<UInt8>, _ prefix: String) -> Bool {
        guard text.count >= prefix.utf8.count else { return false }
        for (index, byte) in prefix.utf8.enumerated() where text[index] != byte { return false }
        return true
    }

    /// Checks for the characters and escapes of RFC 3986, and for a scheme if one is required.
    static func isURI(_ text: Span<UInt8>, needsScheme: Bool) -> Bool {
        var (index, colon, hashes) = (0, -1, 0)
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < text.count, isHexadecimal(text[index + 1]), isHexadecimal(text[index + 2]) else {
                    return false
                }
            } else if byte == UInt8(ascii: "#") {
                hashes += 1
            } else if byte == UInt8(ascii: ":"), colon < 0, isScheme(text, index) {
                colon = index
            } else if !isLetterOrDigit(byte), !"-._~:/?[]@!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
            index += 1
        }
        return hashes <= 1 && (!needsScheme || colon > 0)
    }

    private static func isScheme(_ text: Span<UInt8>, _ end: Int) -> Bool {
        guard end > 0, (text[0] | 0x20) &- UInt8(ascii: "a") < 26 else { return false }
        for index in 0..<end where !isLetterOrDigit(text[index]) && !"+-.".utf8.contains(text[index]) { return false }
        return true
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }
}
