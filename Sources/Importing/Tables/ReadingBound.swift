internal import JSONReading

/// One bound of the readers: the name by which people set it, and where its value lies. What it means stands in the texts `bound.NAME`.
package struct ReadingBound: Sendable {
    package enum Unit: String, Sendable {
        case count, bytes, seconds
    }

    package let name: String
    package let unit: Unit
    package let path: any WritableKeyPath<TableLimits, Int> & Sendable
    /// More than this the reader cannot take, whatever memory there is.
    package let highest: Int

    private init(_ name: String, _ unit: Unit, _ path: any WritableKeyPath<TableLimits, Int> & Sendable, highest: Int = 1 << 50) {
        self.name = name
        self.unit = unit
        self.path = path
        self.highest = highest
    }

    package var standard: Int { TableLimits()[keyPath: path] }

    /// Every bound that can be set, in the order in which they are shown.
    package static let all: [ReadingBound] = [
        ReadingBound("columns", .count, \.columns, highest: 1 << 20),
        ReadingBound("rows", .count, \.rows),
        ReadingBound("cellBytes", .bytes, \.cellBytes, highest: 1 << 30),
        ReadingBound("tables", .count, \.tables),
        ReadingBound("archiveEntries", .count, \.archiveEntries),
        ReadingBound("sharedStringBytes", .bytes, \.sharedStringBytes, highest: Int(UInt32.max)),
        ReadingBound("partBytes", .bytes, \.partBytes, highest: 1 << 32),
        ReadingBound("entryBytes", .bytes, \.entryBytes),
        ReadingBound("compressionRatio", .count, \.compressionRatio),
        // Readers of nested values call themselves: beyond this, the stack ends.
        ReadingBound("depth", .count, \.depth, highest: 2_000),
        ReadingBound("span", .count, \.span, highest: 1 << 20),
        ReadingBound("packageEntries", .count, \.packages.entries),
        ReadingBound("packageEntryBytes", .bytes, \.packages.entryByteCount),
        ReadingBound("packageBytes", .bytes, \.packages.totalByteCount),
        ReadingBound("packageRatio", .count, \.packages.ratio),
        ReadingBound("documentBytes", .bytes, \.packages.documentByteCount, highest: 1 << 30),
        ReadingBound("events", .count, \.packages.events),
        ReadingBound("eventBytes", .bytes, \.packages.eventBytes),
        ReadingBound("drawingBytes", .bytes, \.packages.drawingByteCount),
        ReadingBound("drawingPoints", .count, \.packages.drawingPoints),
        ReadingBound("jsonDepth", .count, \.json.depth, highest: 2_000),
        ReadingBound("jsonTextBytes", .bytes, \.json.textBytes, highest: 1 << 30),
        ReadingBound("jsonNumberLength", .count, \.json.numberLength, highest: 1 << 20),
        ReadingBound("jsonRowBytes", .bytes, \.json.valueBytes, highest: 1 << 30),
        ReadingBound("formCells", .count, \.form.cells),
        ReadingBound("formBytes", .bytes, \.form.bytes, highest: 1 << 32),
        ReadingBound("formsPerSheet", .count, \.form.forms),
        ReadingBound("formPhotos", .count, \.form.photos),
        ReadingBound("formPictureBytes", .bytes, \.form.pictureBytes, highest: 1 << 31),
        ReadingBound("formAllPictureBytes", .bytes, \.form.allPictureBytes),
        ReadingBound("xlsBytes", .bytes, \.xls.bytes, highest: 1 << 31),
        ReadingBound("xlsSheets", .count, \.xls.sheets),
        ReadingBound("xlsCells", .count, \.xls.cells),
        ReadingBound("dbfRecords", .count, \.dbf.records),
        ReadingBound("dbfMemoBytes", .bytes, \.dbf.memoBytes, highest: 1 << 30),
        ReadingBound("sqliteTables", .count, \.sqlite.tables, highest: 1 << 30),
        ReadingBound("sqliteValueBytes", .bytes, \.sqlite.valueBytes, highest: 1 << 30),
        ReadingBound("sqliteSteps", .count, \.sqlite.steps),
        ReadingBound("accessSeconds", .seconds, \.access.processorSeconds, highest: 86_400),
        ReadingBound("accessMemoryBytes", .bytes, \.access.memory),
        ReadingBound("accessOutputBytes", .bytes, \.access.output),
        ReadingBound("accessSilentSeconds", .seconds, \.access.silentSeconds, highest: 86_400),
    ]

    package enum Mistake: Error, Hashable {
        case unknown(String, known: [String])
        case notAValue(name: String, value: String)
        case outOfRange(name: String, value: String, highest: Int)
    }
}

extension TableLimits {
    /// Sets a bound by its name: `columns` to `10`, `cellBytes` to `64M`. K, M and G count by 1024.
    package mutating func set(_ name: String, to text: String) throws(ReadingBound.Mistake) {
        guard let bound = ReadingBound.all.first(where: { $0.name == name }) else {
            throw .unknown(name, known: ReadingBound.all.map(\.name))
        }
        let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
        let shift = text.last.flatMap { shifts[Character($0.uppercased())] } ?? 0
        let digits = shift == 0 ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { throw .notAValue(name: name, value: text) }
        guard let number = Int(digits), number > 0 else { throw .outOfRange(name: name, value: text, highest: bound.highest) }
        let (value, isTooMuch) = number.multipliedReportingOverflow(by: 1 << shift)
        guard !isTooMuch, value <= bound.highest else { throw .outOfRange(name: name, value: text, highest: bound.highest) }
        self[keyPath: bound.path] = value
    }
}

extension ReadingBound.Mistake: CustomStringConvertible {
    /// In English: for the reason of a configuration that cannot be used.
    package var description: String {
        switch self {
        case .unknown(let name, let known): "\(name): unknown; known: \(known.joined(separator: ", "))"
        case .notAValue(let name, let value): "\(name): \(value) is no whole number, alone or with K, M or G"
        case .outOfRange(let name, let value, let highest): "\(name): \(value) is not within 1 and \(highest)"
        }
    }
}
