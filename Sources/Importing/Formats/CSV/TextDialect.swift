/// The separator and the quote of a CSV file.
package struct TextDialect: Sendable, Hashable {
    package var separator: UInt8 = 0x2C
    package var quote: UInt8 = 0x22

    /// Detects the dialect from a text's start: by Excel's line `sep=;`, or by the separator that
    /// divides most records into the same number of cells.
    ///
    /// Quotes count more than regularity: a separator that leaves quotes inside cells loses against
    /// one that leaves them around whole cells. Commas are tried last, because they also occur in
    /// decimal numbers.
    static func detect(_ sample: [UInt8]) -> TextDialect {
        let quote: UInt8 = quotes(sample)
        if let separator = statedSeparator(sample) { return TextDialect(separator: separator, quote: quote) }
        let cuts = Array("\t;|,".utf8).map { ($0, cut(sample, TextDialect(separator: $0, quote: quote))) }.filter {
            consistency($0.1.widths) > 0
        }
        let fewest = cuts.map(\.1.strayQuotes).min() ?? 0
        var best: (separator: UInt8, score: Double) = (0x2C, 0)
        for (separator, cut) in cuts where (cut.strayQuotes - fewest) * 20 <= sample.count(where: { $0 == quote }) {
            let score = consistency(cut.widths)
            if score > best.score + 0.05 { best = (separator, score) }
        }
        return TextDialect(separator: best.separator, quote: quote)
    }

    /// The separator declared in a first line such as `sep=;`.
    static func statedSeparator(_ sample: [UInt8]) -> UInt8? {
        let line = Array(sample.prefix(8).prefix { $0 != 0x0A && $0 != 0x0D }.filter { $0 != 0x22 })
        guard line.count == 5, line.starts(with: Array("sep=".utf8)) else { return nil }
        return line[4]
    }

    /// The text's quote: a quotation mark, or in rare cases an apostrophe.
    private static func quotes(_ sample: [UInt8]) -> UInt8 {
        let cuts = Set(",;\t|\n\r".utf8)
        var counts: [UInt8: Int] = [:]
        var before: UInt8 = 0x0A
        for byte in sample {
            if byte == 0x22 || byte == 0x27, cuts.contains(before) { counts[byte, default: 0] += 1 }
            before = byte
        }
        return counts[0x22, default: 0] == 0 && counts[0x27, default: 0] > 1 ? 0x27 : 0x22
    }

    /// The number of cells in each record, and the number of quotes that neither begin nor end a
    /// cell. The last record may be incomplete and is left out if there are others.
    private static func cut(_ sample: [UInt8], _ dialect: TextDialect) -> (widths: [Int], strayQuotes: Int) {
        var widths: [Int] = []
        var strayQuotes = 0
        var width = 1
        var isQuoted = false
        var isAtStart = true
        var isBlank = true
        // A quote directly after the one that ended a quoted part continues that part.
        var hasJustClosed = false
        for byte in sample {
            if byte == dialect.quote, isQuoted || isAtStart || hasJustClosed {
                hasJustClosed = isQuoted
                isQuoted.toggle()
                isAtStart = false
                isBlank = false
                continue
            }
            let follows = hasJustClosed
            hasJustClosed = false
            if isQuoted {
                continue
            } else if byte == dialect.separator {
                width += 1
                isAtStart = true
                isBlank = false
            } else if byte == 0x0A || byte == 0x0D {
                if !isBlank { widths.append(width) }
                width = 1
                isAtStart = true
                isBlank = true
            } else {
                if byte == dialect.quote || follows { strayQuotes += 1 }
                isAtStart = false
                isBlank = false
            }
            if widths.count == 200 { return (widths, strayQuotes) }
        }
        if widths.isEmpty, !isBlank { widths.append(width) }
        return (widths, strayQuotes)
    }

    /// The share of records with the most common width; 0 when that width is one cell.
    private static func consistency(_ widths: [Int]) -> Double {
        let counts = Dictionary(widths.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.key > 1 }
        guard let common = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return 0 }
        return Double(common.value) / Double(widths.count)
    }
}
