internal import Foundation

/// The values of a property list in XML, element by element.
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
                guard let data = Data(base64Encoded: Data(text), options: .ignoreUnknownCharacters) else { throw .damaged("data is not in Base64") }
                try values.data(Array(data)[...])
            case "integer", "real": try number(String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace), isWhole: name == "integer")
            case "date": try values.take(.text(isEmpty: false))
            default: break
            }
        }
        text.removeAll(keepingCapacity: true)
    }

    /// What is no number is a value all the same.
    private func number(_ words: [Substring], isWhole: Bool) throws(CountFault) {
        let word = words.count == 1 ? words[0] : ""
        let sign = word.hasPrefix("-") ? -1.0 : 1.0
        let digits = word.hasPrefix("-") || word.hasPrefix("+") ? word.dropFirst() : word
        if isWhole, digits.lowercased().hasPrefix("0x"), let number = UInt64(digits.dropFirst(2), radix: 16) { return try values.number(sign * Double(number)) }
        let isPlain = digits.utf8.allSatisfy { 0x30...0x39 ~= $0 || (!isWhole && ".eE+-".utf8.contains($0)) }
        guard isPlain, let number = NumberText.decimal(Array(word.utf8).span) else { return try values.take(.text(isEmpty: false)) }
        try values.number(number)
    }

    private func noting(_ body: () throws(CountFault) -> Void) {
        guard fault == nil else { return }
        do throws(CountFault) { try body() } catch { fault = error }
    }
}
