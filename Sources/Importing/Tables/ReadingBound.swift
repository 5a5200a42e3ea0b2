package import JSONReading

/// One limit of the readers: the name by which users set it, and the location of its value. The
/// texts `bound.NAME` explain its meaning.
package struct ReadingBound: Sendable {
    package enum Unit: String, Sendable {
        case count, bytes, seconds
    }

    package let name: String
    package let unit: Unit
    package let standard: Int
    /// The highest value that the reader can handle, regardless of memory.
    package let highest: Int
    /// Key path of a limit that is not specific to one format.
    fileprivate let path: (any WritableKeyPath<TableLimits, Int> & Sendable)?

    private init(
        _ name: String, _ unit: Unit, _ path: any WritableKeyPath<TableLimits, Int> & Sendable, highest: Int = 1 << 50
    ) {
        (self.name, self.unit, self.highest, self.path) = (name, unit, highest, path)
        standard = TableLimits()[keyPath: path]
    }

    private init<Limits>(_ own: FormatBound<Limits>) {
        (name, unit, highest, path) = (own.name, own.unit, own.highest, nil)
        standard = Limits()[keyPath: own.path]
    }

    /// The limits declared by a format.
    static func of<Limits: FormatLimits>(_: Limits.Type) -> [ReadingBound] { Limits.bounds.map { ReadingBound($0) } }

    /// Every limit that can be set, in display order.
    package static let all = general + ImportFormats.all.flatMap { $0.bounds }

    private static let general: [ReadingBound] = [
        ReadingBound("columns", .count, \.columns, highest: 1 << 20),
        ReadingBound("rows", .count, \.rows),
        ReadingBound("cellBytes", .bytes, \.cellBytes, highest: 1 << 30),
        ReadingBound("tables", .count, \.tables),
        ReadingBound("archiveEntries", .count, \.archiveEntries),
        ReadingBound("sharedStringBytes", .bytes, \.sharedStringBytes, highest: Int(UInt32.max)),
        ReadingBound("partBytes", .bytes, \.partBytes, highest: 1 << 32),
        ReadingBound("entryBytes", .bytes, \.entryBytes),
        ReadingBound("compressionRatio", .count, \.compressionRatio),
        // Readers of nested values are recursive: more levels would overflow the stack.
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
    ]

    package enum Mistake: Error, Hashable {
        case unknown(String, known: [String])
        case notAValue(name: String, value: String)
        case outOfRange(name: String, value: String, highest: Int)
    }
}

/// A limit of one format: its name and the location of its value.
package struct FormatBound<Limits: FormatLimits>: Sendable {
    let name: String
    let unit: ReadingBound.Unit
    let path: any WritableKeyPath<Limits, Int> & Sendable
    let highest: Int

    package init(
        _ name: String, _ unit: ReadingBound.Unit, _ path: any WritableKeyPath<Limits, Int> & Sendable,
        highest: Int = 1 << 50
    ) {
        (self.name, self.unit, self.path, self.highest) = (name, unit, path, highest)
    }
}

/// The limits of one format, declared beside it.
package protocol FormatLimits: Sendable, Hashable {
    static var bounds: [FormatBound<Self>] { get }
    /// The default limits.
    init()
}

extension FormatLimits {
    /// The limits in effect for an import.
    package init(_ limits: TableLimits) {
        self.init()
        for bound in Self.bounds { if let value = limits.own(bound.name) { self[keyPath: bound.path] = value } }
    }
}

extension TableLimits {
    package subscript(bound: ReadingBound) -> Int {
        get { bound.path.map { self[keyPath: $0] } ?? own(bound.name) ?? bound.standard }
        set { if let path = bound.path { self[keyPath: path] = newValue } else { setOwn(bound.name, newValue) } }
    }

    /// The values of all format-specific limits, by name.
    package var ofFormats: [String: Int] {
        Dictionary(uniqueKeysWithValues: ImportFormats.all.flatMap { $0.bounds }.map { ($0.name, self[$0]) })
    }

    /// Sets a limit by name: `columns` to `10`, `cellBytes` to `64M`. K, M and G are multiples of
    /// 1024.
    package mutating func set(_ name: String, to text: String) throws(ReadingBound.Mistake) {
        guard let bound = ReadingBound.all.first(where: { $0.name == name }) else {
            throw .unknown(name, known: ReadingBound.all.map(\.name))
        }
        let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
        let shift = text.last.flatMap { shifts[Character($0.uppercased())] } ?? 0
        let digits = shift == 0 ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw .notAValue(name: name, value: text)
        }
        guard let number = Int(digits), number > 0 else {
            throw .outOfRange(name: name, value: text, highest: bound.highest)
        }
        let (value, isTooMuch) = number.multipliedReportingOverflow(by: 1 << shift)
        guard !isTooMuch, value <= bound.highest else {
            throw .outOfRange(name: name, value: text, highest: bound.highest)
        }
        self[bound] = value
    }
}

extension ReadingBound.Mistake: CustomStringConvertible {
    /// The reason, in English, why a configuration cannot be used.
    package var description: String {
        switch self {
        case .unknown(let name, let known): "\(name): unknown; known: \(known.joined(separator: ", "))"
        case .notAValue(let name, let value): "\(name): \(value) is no whole number, alone or with K, M or G"
        case .outOfRange(let name, let value, let highest): "\(name): \(value) is not within 1 and \(highest)"
        }
    }
}

/// Limits on the resources that an imported file may use. Each can be set by its name
/// (`ReadingBound.all`). A file that exceeds one is rejected with the limit's name and value.
package struct TableLimits: Sendable, Hashable {
    /// Columns of a table; the default is the maximum of Excel.
    package var columns = 16_384
    package var rows = 50_000_000
    /// Bytes of one cell, or of one tag of markup.
    package var cellBytes = 8 << 20
    /// Tables or sheets of a file.
    package var tables = 10_000
    /// Entries of an archive.
    package var archiveEntries = 100_000
    /// Bytes of a workbook's shared strings, which are stored in memory.
    package var sharedStringBytes = 512 << 20
    /// Bytes of an archive's part that is read into memory: styles, relationships.
    package var partBytes = 64 << 20
    /// Inflated bytes of an archive entry that is streamed.
    package var entryBytes = 16 << 30
    /// The highest allowed ratio of inflated to compressed size, for entries above 64 MiB.
    package var compressionRatio = 400
    /// Depth of nested elements.
    package var depth = 256
    /// Rows or columns that a cell of an HTML table may span; higher values are reduced to it, as
    /// in browsers.
    package var span = 1_000
    /// Limits of packages, the app's folder and drawings.
    package var packages = PackageLimits()
    /// Limits of sheets laid out as forms.
    package var form = FormLimits()
    package var json = JSONLimits.standard

    private struct Own: Sendable, Hashable {
        let name: String
        var value: Int
    }

    /// Format-specific limits (`FormatLimits`) that differ from their defaults, by name.
    private var own: [Own] = []

    package init() {}

    /// The value of a format-specific limit by name; nil for the default.
    func own(_ name: String) -> Int? { own.first { $0.name == name }?.value }

    mutating func setOwn(_ name: String, _ value: Int) {
        own.removeAll { $0.name == name }
        own.insert(Own(name: name, value: value), at: own.firstIndex { $0.name > name } ?? own.endIndex)
    }

    /// The limits of JSON as plain numbers, for code that does not depend on the JSON reader.
    package var jsonBounds: (depth: Int, numberLength: Int, rowBytes: Int) {
        (json.depth, json.numberLength, json.valueBytes)
    }
}
