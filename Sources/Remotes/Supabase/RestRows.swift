internal import JSONReading
internal import Model

/// The rows of one reply of PostgREST, an array of objects. No `String` is allocated for a cell.
struct RestRows {
    private let names: [[UInt8]]
    private let types: [FieldType]
    private var document = JSONDocument()
    /// The JSON token of each value of the row that is being read; nil: the row has no such value.
    private var places: [Int?]

    /// Number of the names, at their end, that are instants; the first that a row has is its
    /// version.
    private let versionCount: Int

    /// A number of PostgreSQL has at most 131,072 digits before the point and 16,383 after it. The
    /// length of a value is checked later, where its row and field are known.
    private static let limits = JSONLimits(textBytes: 256 << 20, numberLength: 150_000, valueBytes: 256 << 20)
    /// The version of a row that has no time of its last change.
    static let unversioned = "1970-01-01T00:00:00Z"

    /// - Parameter versions: names of instants; the first of them that a row has is its version,
    ///   the last of its values.
    init(_ columns: [(name: String, type: FieldType)], versions: [String]? = nil) {
        names = (columns.map(\.name) + (versions ?? [])).map { Array($0.utf8) }
        types = columns.map(\.type)
        places = Array(repeating: nil, count: names.count)
        versionCount = versions?.count ?? -1
    }

    /// Reads a reply, and passes its rows to a body one after the other. Throws if the reply is not
    /// an array of objects.
    mutating func read(_ answer: [UInt8], _ body: (borrowing RestRows) throws -> Void) throws {
        try document.read(answer, limits: Self.limits)
        guard let first = document.tokens.first, first.kind == .array else {
            throw JSONMistake(reason: .malformed("no array of rows"), offset: 0, line: 1, column: 1)
        }
        var token = 1
        for _ in 0..<first.count {
            guard document.tokens[token].kind == .object else {
                throw JSONMistake(
                    reason: .malformed("no row"), offset: document.tokens[token].range.lowerBound, line: 1, column: 1)
            }
            find(token)
            try body(self)
            token = document.tokens[token].end
        }
    }

    /// The server writes the members in the order in which they were requested.
    private mutating func find(_ object: Int) {
        for index in places.indices { places[index] = nil }
        var token = object + 1, expected = 0
        while token < document.tokens[object].end {
            if expected >= names.count || !document.bytes[document.tokens[token].range].elementsEqual(names[expected]) {
                expected =
                    names.firstIndex { document.bytes[document.tokens[token].range].elementsEqual($0) } ?? names.count
            }
            if expected < names.count { places[expected] = token + 1 }
            expected += 1
            token = document.tokens[token + 1].end
        }
    }

    /// The first column of the row whose value is too long for a replica; nil: none is.
    var firstLong: String? {
        guard document.bytes.count > ArrivedValues.mostBytes else { return nil }
        let long = places.firstIndex { $0.map { document.tokens[$0].range.count > ArrivedValues.mostBytes } ?? false }
        return long.map { String(decoding: names[$0], as: UTF8.self) }
    }

    /// Appends the row that is being read.
    func append(to batch: inout RowBatch) {
        let bytes = document.bytes.span
        for (column, type) in types.enumerated() {
            guard let place = places[column], document.tokens[place].kind != .null else {
                batch.appendNull()
                continue
            }
            ArrivedValues.append(bytes.extracting(document.tokens[place].range), type, to: &batch)
        }
        if versionCount >= 0 {
            if let place = versionPlace {
                ArrivedValues.append(bytes.extracting(document.tokens[place].range), .datetime, to: &batch)
            } else {
                batch.append(Self.unversioned)
            }
        }
        batch.endRow()
    }

    private var versionPlace: Int? {
        places.dropFirst(types.count).lazy.compactMap(\.self).first {
            document.tokens[$0].kind != .null && !isInfinite($0)
        }
    }

    /// PostgreSQL's `infinity` and `-infinity` are not times at which a row can change.
    private func isInfinite(_ place: Int) -> Bool {
        let text = document.bytes.span.extracting(document.tokens[place].range)
        return text.count > 0 && text[text.count - 1] == UInt8(ascii: "y")
    }

    /// The version of the row that is being read, if rows have versions.
    var version: String {
        versionPlace.map { ArrivedValues.instant(document.text($0, limit: .max)) } ?? Self.unversioned
    }

    /// A value of the row that is being read. Too slow for many values.
    func text(_ column: Int) -> String? {
        guard let place = places[column], document.tokens[place].kind != .null else { return nil }
        return document.text(place, limit: .max)
    }

    /// The items of a value that is an array of texts.
    func texts(_ column: Int) -> [String] {
        guard let place = places[column], document.tokens[place].kind == .array else { return [] }
        var token = place + 1
        return (0..<document.tokens[place].count).map { _ in
            defer { token = document.tokens[token].end }
            return document.text(token, limit: .max)
        }
    }
}
