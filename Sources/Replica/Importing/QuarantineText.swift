import Foundation
import JSONReading
import Model

/// Places and findings as the quarantine stores them. The text is exactly what JSON's encoder would
/// write, so that a row that is rejected repeatedly is recognised. It is written and read directly,
/// because coders would take half the time if every row of a file is rejected.
extension Quarantine {
    static func json(_ place: Place) throws -> String {
        var text = Text()
        text.append(place)
        return try text.finished ?? encoded(place)
    }

    static func json(_ findings: [Finding]) throws -> String {
        var text = Text()
        for (index, finding) in findings.enumerated() {
            text.bytes.append(UInt8(ascii: index == 0 ? "[" : ","))
            text.append(finding)
        }
        if findings.isEmpty { text.bytes.append(UInt8(ascii: "[")) }
        text.bytes.append(UInt8(ascii: "]"))
        return try text.finished ?? encoded(findings)
    }

    static func place(_ json: String) throws -> Place {
        if let place = (try? JSONValue.parse(json, limits: .stored)).flatMap(place) { return place }
        return try JSONDecoder().decode(Place.self, from: Data(json.utf8))
    }

    static func findings(_ json: String) throws -> [Finding] {
        if let items = (try? JSONValue.parse(json, limits: .stored))?.items {
            let findings = items.compactMap(finding)
            if findings.count == items.count { return findings }
        }
        return try JSONDecoder().decode([Finding].self, from: Data(json.utf8))
    }

    // MARK: Reading

    /// Nil for a place in another form than `Text` writes: `JSONDecoder` then reads it or throws.
    private static func place(_ value: JSONValue) -> Place? {
        guard let members = value.members else { return nil }
        var place = Place()
        for member in members {
            let text: String
            switch member.value {
            case .string(let string): text = string
            case .number(let digits) where member.key == "line" || member.key == "column": text = digits
            default: return nil
            }
            switch member.key {
            case "table": place.table = text
            case "id": place.id = text
            case "key": place.key = text
            case "field": place.field = text
            case "file": place.file = text
            case "sheet": place.sheet = text
            case "cell": place.cell = text
            case "pointer": place.pointer = text
            case "mapping": place.mapping = text
            case "origin": place.origin = text
            case "line":
                guard let line = Int(text) else { return nil }
                place.line = line
            case "column":
                guard let column = Int(text) else { return nil }
                place.column = column
            default: return nil
            }
        }
        return place
    }

    private static func finding(_ value: JSONValue) -> Finding? {
        guard value.members?.count == 4, case .string(let code)? = value["code"],
            case .string(let name)? = value["severity"],
            let severity = Severity(rawValue: name), let place = value["place"].flatMap(place),
            let members = value["arguments"]?.members
        else { return nil }
        var arguments: [String: String] = [:]
        for member in members {
            guard case .string(let text) = member.value else { return nil }
            arguments[member.key] = text
        }
        return Finding(code: code, severity: severity, place: place, arguments: arguments)
    }

    // MARK: Writing

    /// Text with the members of each object in the order of their keys.
    private struct Text {
        var bytes: [UInt8] = []
        private var isPlain = true

        /// Nil if the text contains something that only the encoder can write.
        var finished: String? { isPlain ? String(decoding: bytes, as: UTF8.self) : nil }

        mutating func append(_ finding: Finding) {
            if finding.acceptance != nil { isPlain = false }
            bytes.append(contentsOf: "{\"arguments\":{".utf8)
            for (key, value) in finding.arguments.sorted(by: { $0.key < $1.key }) { member(key, value) }
            bytes.append(contentsOf: "},\"code\":".utf8)
            quote(finding.code)
            bytes.append(contentsOf: ",\"place\":".utf8)
            append(finding.place)
            bytes.append(contentsOf: ",\"severity\":".utf8)
            quote(finding.severity.rawValue)
            bytes.append(UInt8(ascii: "}"))
        }

        mutating func append(_ place: Place) {
            bytes.append(UInt8(ascii: "{"))
            member("cell", place.cell)
            member("column", place.column.map(String.init), isNumber: true)
            member("field", place.field)
            member("file", place.file)
            member("id", place.id)
            member("key", place.key)
            member("line", place.line.map(String.init), isNumber: true)
            member("mapping", place.mapping)
            member("origin", place.origin)
            member("pointer", place.pointer)
            member("sheet", place.sheet)
            member("table", place.table)
            bytes.append(UInt8(ascii: "}"))
        }

        private mutating func member(_ key: String, _ value: String?, isNumber: Bool = false) {
            guard let value else { return }
            if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
            quote(key)
            bytes.append(UInt8(ascii: ":"))
            if isNumber { bytes.append(contentsOf: value.utf8) } else { quote(value) }
        }

        private mutating func quote(_ text: String) {
            bytes.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
                if byte < 0x20 { isPlain = false }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }
}
