internal import Foundation

/// The values of a property list in XML, passed on element by element.
final class ElementValues: MarkupReceiver {
    private(set) var values: ListedValues
    private(set) var fault: CountFault?
    private var text: [UInt8] = []

    init(_ values: ListedValues) { self.values = values }

    func open(_ element: MarkupElement) {
        text.removeAll(keepingCapacity: true)
        guard element.name == "dict" || element.name == "array" else { return }
        noting { () throws(CountFault) in try values.take(.open(isObject: element.name == "dict")) }
    }

    func text(_ bytes: Span<UInt8>) { for index in bytes.indices { text.append(bytes[index]) } }

    func close(_ name: String) {
        noting { () throws(CountFault) in
            switch name {
            case "dict", "array": try values.take(.close)
            case "key": try values.key(text)
            case "string": try values.take(.text(isEmpty: text.isEmpty), size: text.count)
            case "true", "false": try values.take(.boolean)
            case "data":
                guard let data = Data(base64Encoded: Data(text), options: .ignoreUnknownCharacters) else {
                    throw .damaged("data is not in Base64")
                }
                try values.data(Array(data)[...])
            case "integer", "real":
                try number(
                    String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace),
                    isWhole: name == "integer")
            case "date": try values.take(.text(isEmpty: false))
            default: break
            }
        }
        text.removeAll(keepingCapacity: true)
    }

    /// Passes on a number; a text that is not a number is still a value.
    private func number(_ words: [Substring], isWhole: Bool) throws(CountFault) {
        let word = words.count == 1 ? words[0] : ""
        let sign = word.hasPrefix("-") ? -1.0 : 1.0
        let digits = word.hasPrefix("-") || word.hasPrefix("+") ? word.dropFirst() : word
        if isWhole, digits.lowercased().hasPrefix("0x"), let number = UInt64(digits.dropFirst(2), radix: 16) {
            return try values.number(sign * Double(number))
        }
        let isPlain = digits.utf8.allSatisfy { 0x30...0x39 ~= $0 || (!isWhole && ".eE+-".utf8.contains($0)) }
        guard isPlain, let number = NumberText.decimal(Array(word.utf8).span) else {
            return try values.take(.text(isEmpty: false))
        }
        try values.number(number)
    }

    private func noting(_ body: () throws(CountFault) -> Void) {
        guard fault == nil else { return }
        do throws(CountFault) { try body() } catch { fault = error }
    }
}

/// Values of a property list, counted as JSON.
struct ListedValues {
    private(set) var tables: PathTables
    /// Remaining bytes: a few bytes of a file can refer to each other without end.
    private var left: Int

    init(_ tables: PathTables, most: Int) { (self.tables, left) = (tables, most) }

    mutating func take(_ event: JSONTokens.Event, size: Int = 0) throws(CountFault) {
        left -= size + 16
        guard left >= 0 else { throw .tooLarge("propertyListBytes") }
        try tables.take(event)
    }

    mutating func key(_ name: [UInt8]) throws(CountFault) {
        let escaped = name.flatMap { (byte: UInt8) -> [UInt8] in
            if byte < 0x20 { return Array("\\u00".utf8) + [byte >> 4, byte & 15].map { $0 + ($0 < 10 ? 0x30 : 0x57) } }
            return byte == 0x22 || byte == 0x5C ? [0x5C, byte] : [byte]
        }
        try take(.name(escaped), size: name.count)
    }

    mutating func number(_ value: Double) throws(CountFault) {
        try take(value.isFinite ? .number(Array("\(value)".utf8)) : .text(isEmpty: false))
    }

    /// Data that begins like a JSON document is counted as its content, other data as one value.
    mutating func data(_ bytes: ArraySlice<UInt8>) throws(CountFault) {
        var place = bytes.startIndex
        func mark() -> UInt8? {
            while place < bytes.endIndex, bytes[place] == 0x20 || 0x09...0x0A ~= bytes[place] || bytes[place] == 0x0D {
                place += 1
            }
            defer { place += 1 }
            return place < bytes.endIndex ? bytes[place] : nil
        }
        let isDocument =
            switch (mark(), mark()) {
            case (0x7B?, 0x22?), (0x7B?, 0x7D?): true
            case (0x5B?, let second?): "[]{\"-0123456789tfn".utf8.contains(second)
            default: false
            }
        guard isDocument, String(validating: bytes, as: UTF8.self) != nil else {
            return try take(.text(isEmpty: false), size: bytes.count)
        }
        left -= bytes.count
        var scan = JSONTokens()
        for byte in bytes { try scan.take(byte) { (event) throws(CountFault) in try take(event) } }
        try scan.finish { (event) throws(CountFault) in try take(event) }
    }
}
