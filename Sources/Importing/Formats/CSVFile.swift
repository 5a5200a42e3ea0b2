package import Model

/// A text file with one record a line (RFC 4180 and its variants): encoding, separator and quote
/// are detected from its start.
package final class CSVFile: TableFormat, TableFile {
    package static let kind = "csv"
    package internal(set) var tables: [ForeignTable]
    package let encoding: EncodingDetector.Guess
    package let dialect: TextDialect
    /// Whether the first line declares the separator (`sep=;`) and is not part of the table.
    let skipsFirstLine: Bool
    package let findings: [Finding]
    package var encodingName: String? { encoding.encoding.rawValue }

    /// Recognises any text.
    package static func recognises(_ head: FileHead) -> Bool {
        !head.bytes.isEmpty && EncodingDetector.guess(head.bytes) != nil && TablelessKind.name(of: head) == nil
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile { try CSVFile(head, options: options) }

    package init(_ head: FileHead, options: TableOptions = TableOptions()) throws {
        var guess = EncodingDetector.guess(head.bytes) ?? EncodingDetector.Guess(encoding: .windows1252, mark: 0, isCertain: false)
        if let stated = options.encoding {
            if stated != guess.encoding { guess = EncodingDetector.Guess(encoding: stated, mark: 0, isCertain: true) }
        } else {
            guess = try EncodingScan.confirmed(guess, head, kind: Self.kind)
        }
        findings = options.encoding == nil ? try EncodingScan.finding(guess, head.path).map { [$0] } ?? [] : []
        var decoder = TextDecoder(guess.encoding)
        var sample: [UInt8] = []
        decoder.decode(head.bytes.span.extracting(droppingFirst: guess.mark), isLast: head.bytes.count == head.size, to: &sample)
        var dialect = options.dialect ?? TextDialect.detect(sample)
        if let separator = options.separator { dialect.separator = separator }
        let statesSeparator = TextDialect.statedSeparator(sample) != nil
        encoding = guess
        self.dialect = dialect
        skipsFirstLine = statesSeparator
        tables = [ForeignTable(name: head.tableName) { [dialect] in
            CSVRows(
                try FileStream(path: head.path), path: head.path, encoding: guess, dialect: dialect, skipsFirstLine: statesSeparator,
                limits: options.limits)
        }]
        tables[0].isText = true
    }
}
