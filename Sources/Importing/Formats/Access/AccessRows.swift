internal import Model

/// Rows of an Access table, as `mdb-export` prints them: values separated by commas, texts in
/// double quotes, quotes within them doubled.
final class AccessRows: ForeignRows {
    private let programs: AccessPrograms
    private let table: String
    private let columns: [AccessColumn]
    /// The number of rows that the table's definition states.
    private let stated: Int?
    private let program: BoundedProgram
    private var piece: [UInt8] = []
    private var position = 0
    private var row = 0
    private var hasEnded = false
    private let lost: AccessLostCharacters
    private let calculated: AccessCalculated?

    /// mdb-export silently truncates longer values.
    static let longestValue = 199_000

    init(programs: AccessPrograms, table: String, columns: [AccessColumn], lost: AccessLostCharacters) throws {
        self.lost = lost
        self.programs = programs
        self.table = table
        self.columns = columns
        stated = try programs.statedRows(of: table)
        let isCalculated = columns.contains { if case .calculated = $0.content { true } else { false } }
        calculated = isCalculated ? try AccessCalculated(path: programs.path, table: table, statedRows: stated) : nil
        program = try programs.export(table)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        while !hasEnded, !batch.isFull {
            guard try readRow(into: &batch) else {
                hasEnded = true
                if calculated?.hasMore == true { throw damage("its pages have more rows than mdb-export gives") }
                // libmdb silently skips pages that it cannot parse.
                guard let stated, row < stated else { return }
                throw damage("it says it has \(stated) rows and gives \(row)")
            }
        }
    }

    private func readRow(into batch: inout ForeignBatch) throws -> Bool {
        guard var byte = try take() else { return false }
        row += 1
        if let calculated, !calculated.advance() { throw damage("its pages have fewer rows than mdb-export gives") }
        var column = 0
        while true {
            guard column < columns.count else { throw damage("row \(row) has more than \(columns.count) values") }
            let value = try readValue(of: columns[column], &byte)
            try append(value.bytes, count: value.count, columns[column], to: &batch)
            column += 1
            if byte == UInt8(ascii: "\n") { break }
            guard byte == UInt8(ascii: ","), let next = try take() else { throw damage("row \(row) is cut off") }
            byte = next
        }
        guard column == columns.count else {
            throw damage("row \(row) has \(column) values instead of \(columns.count)")
        }
        batch.endRow(number: row)
        return true
    }

    /// Reads a value with the length that it has in the file. Of a picture only the beginning is
    /// stored.
    ///
    /// - Parameter byte: the first byte of the value, and then the byte after it.
    private func readValue(of column: AccessColumn, _ byte: inout UInt8) throws -> (bytes: [UInt8], count: Int) {
        var (value, count): ([UInt8], Int) = ([], 0)
        let keeps = column.content != .bytes
        guard byte == UInt8(ascii: "\"") else {
            while byte != UInt8(ascii: ","), byte != UInt8(ascii: "\n") {
                count += 1
                if keeps || count <= 64 { value.append(byte) }
                guard count <= Self.longestValue || !keeps, let next = try take() else {
                    throw damage("row \(row) is cut off")
                }
                byte = next
            }
            return (value, count)
        }
        while true {
            guard let next = try take() else { throw damage("row \(row) is cut off") }
            if next == UInt8(ascii: "\"") {
                guard let after = try take() else { throw damage("row \(row) is cut off") }
                byte = after
                if after != UInt8(ascii: "\"") { return (value, count) }
            }
            count += 1
            if keeps || count <= 64 { value.append(next) }
            if keeps, count > Self.longestValue {
                // This limit of mdbtools cannot be raised: a longer value would be cut.
                throw damage(
                    "a text of row \(row) is longer than the \(Self.longestValue) bytes that mdbtools can give")
            }
        }
    }

    private func append(_ value: [UInt8], count: Int, _ column: AccessColumn, to batch: inout ForeignBatch) throws {
        // Without quotes, an empty value is a missing one; with quotes, it is an empty text, which
        // tables treat the same.
        if case .unreadable(let type) = column.content { return batch.append(.error, type) }
        if case .calculated(let result) = column.content {
            if let calculated {
                calculated.append(column.name, result, to: &batch)
            } else {
                batch.append(.error, "calculated column")
            }
            return
        }
        if count == 0 { return batch.appendEmpty() }
        switch column.content {
        case .unreadable, .calculated: break
        case .identifier:
            let text = Self.identifier(value)
            batch.append(text == nil ? .error : .text, text ?? String(decoding: value, as: UTF8.self))
        case .bytes:
            batch.append(
                .error,
                count <= 64 ? "0x" + String(decoding: value, as: UTF8.self) : "\(count / 2) bytes that are no text")
        case .boolean:
            let word = String(decoding: value, as: UTF8.self)
            switch word {
            case "TRUE", "1": batch.append(.boolean, "true")
            case "FALSE", "0": batch.append(.boolean, "false")
            default: batch.append(.error, word)
            }
        case .number:
            let word = String(decoding: value, as: UTF8.self)
            batch.append(OldValueText.isNumber(value[...]) ? .number : .error, word)
        case .dateTime: appendDate(String(decoding: value, as: UTF8.self), to: &batch)
        case .text:
            let isWhole = try !lost.concerns(value)
            batch.append(isWhole ? .text : .error, String(decoding: value, as: UTF8.self))
        }
    }

    /// A replication id without its braces, from the hexadecimal form of its text, in which
    /// mdbtools 1.0 omits the last dash.
    static func identifier(_ hexadecimal: [UInt8]) -> String? {
        var text = ""
        for index in stride(from: 0, to: hexadecimal.count - 1, by: 2) {
            guard let byte = UInt8(String(decoding: hexadecimal[index..<(index + 2)], as: UTF8.self), radix: 16) else {
                return nil
            }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        let digits = text.filter(\.isHexDigit)
        guard digits.count == 32, text.allSatisfy({ $0.isHexDigit || "{}-".contains($0) }) else { return nil }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits.dropFirst($0.lowerBound).prefix($0.count) }
            .joined(separator: "-")
    }

    /// Appends a date. Access has one type for days and times: midnight means a day, the day 0
    /// (1899-12-30) means a time.
    private func appendDate(_ text: String, to batch: inout ForeignBatch) {
        // mdbtools prints this for every day that it cannot represent.
        if text.hasPrefix("1900-01-00") {
            return batch.append(.error, "a date before 1899-12-30 or after the year 4636, which mdbtools does not give")
        }
        let parts = text.split(separator: "T")
        guard parts.count == 2, let day = StoredTime.day(Array(parts[0].utf8).span) else {
            return batch.append(.error, text)
        }
        if parts[1] == "00:00:00" {
            batch.append(.date, day.text)
        } else if day.text == "1899-12-30" {
            batch.append(.time, String(parts[1]))
        } else {
            batch.append(.dateTime, text)
        }
    }

    /// The next byte of the program's output; nil at the end.
    private func take() throws -> UInt8? {
        if position == piece.count {
            do {
                piece = try program.next()
            } catch {
                throw programs.failure(error, "mdb-export", table: table)
            }
            position = 0
            if piece.isEmpty { return nil }
        }
        defer { position += 1 }
        return piece[position]
    }

    private func damage(_ reason: String) -> TableFailure {
        .damaged(
            Place(file: programs.path, sheet: table, line: row), kind: AccessFile.kind,
            reason: "table \(table): \(reason)")
    }
}

/// Decides whether `??` in a text printed by mdbtools replaces a lost character.
///
/// mdbtools prints two question marks for every character beyond U+FFFF (emoji). In the file these
/// are surrogate pairs in UTF-16. If such a pair lies between the same letters as the question
/// marks, the original text was different. If a file seems to have more pairs than can be stored,
/// by chance in pictures or on purpose, every text with `??` is suspect.
final class AccessLostCharacters {
    private let file: FileBytes
    private static let mostPairs = 1 << 18
    /// Number of letters compared on either side.
    private static let reach = 4
    /// Remaining comparisons for all texts of a table.
    private var budget = 1 << 30
    private lazy var pairs: [Int]? = findPairs()

    init(path: String) throws { file = try FileBytes(path) }

    /// Whether `??` in a text, encoded in UTF-8, replaces a lost character.
    func concerns(_ text: [UInt8]) throws -> Bool {
        guard text.count > 1, text.indices.dropLast().contains(where: { text[$0] == 0x3F && text[$0 + 1] == 0x3F })
        else { return false }
        guard let pairs else { return true }
        guard !pairs.isEmpty else { return false }
        let units = Array(String(decoding: text, as: UTF8.self).utf16)
        for place in units.indices.dropLast() where units[place] == 0x3F && units[place + 1] == 0x3F {
            budget -= pairs.count
            guard budget > 0 else { return true }
            let before = units[max(0, place - Self.reach)..<place]
            let after = units[(place + 2)..<min(units.count, place + 2 + Self.reach)]
            for pair in pairs where isPlain(before, endingAt: pair) && isPlain(after, from: pair + 4) { return true }
        }
        return false
    }

    /// Checks whether the file contains the letters directly before a position; a question mark
    /// matches any letter.
    private func isPlain(_ units: ArraySlice<UInt16>, endingAt end: Int) -> Bool {
        isPlain(units, from: end - 2 * units.count)
    }

    private func isPlain(_ units: ArraySlice<UInt16>, from start: Int) -> Bool {
        let bytes = file.read(at: start, 2 * units.count)
        guard bytes.count == 2 * units.count else { return false }
        return units.enumerated().allSatisfy { index, unit in
            unit == 0x3F || UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8 == unit
        }
    }

    /// Positions of apparent surrogate pairs; nil if there are too many.
    private func findPairs() -> [Int]? {
        var pairs: [Int] = []
        var offset = 0
        let step = 1 << 20
        while offset < file.count {
            let bytes = file.read(at: offset, step + 3)
            guard bytes.count > 3 else { break }
            for index in 0..<(bytes.count - 3) where bytes[index + 1] & 0xFC == 0xD8 && bytes[index + 3] & 0xFC == 0xDC
            {
                guard pairs.count < Self.mostPairs else { return nil }
                pairs.append(offset + index)
            }
            offset += step
        }
        return pairs
    }
}
