/// A sample of texts from a table without a stated code page, to determine the most likely one.
struct DBFTextSample {
    /// Texts with bytes beyond ASCII, each followed by a blank.
    private(set) var bytes: [UInt8] = []
    /// Number of bytes beyond ASCII among them.
    private(set) var letters = 0

    private static let mostBytes = 1 << 16
    /// The largest number of memos examined: each needs a read of its own.
    private static let mostMemos = 2_000

    /// Examines the table until there is enough text; column names count as well.
    init(_ file: FileBytes, _ header: DBFHeader, memo: DBFMemo?) {
        for field in header.fields { add(field.name[...]) }
        let texts = header.fields.filter { $0.type == UInt8(ascii: "C") || $0.type == UInt8(ascii: "V") }
        let memos = memo == nil ? [] : header.fields.filter { $0.type == UInt8(ascii: "M") }
        guard !texts.isEmpty || !memos.isEmpty else { return }
        let count = max(1, (1 << 18) / header.recordLength)
        var looked = 0
        for first in stride(from: 0, to: header.statedRecords, by: count) {
            let block = file.read(at: header.headerLength + first * header.recordLength, count * header.recordLength)
            guard block.count >= header.recordLength else { return }
            // Most tables are ASCII, and their records need no closer look.
            guard block.contains(where: { $0 >= 0x80 }) || (!memos.isEmpty && looked < Self.mostMemos) else { continue }
            for start in stride(from: 0, to: block.count - header.recordLength + 1, by: header.recordLength) {
                let record = block[start..<(start + header.recordLength)]
                for field in texts { add(record.dropFirst(field.start).prefix(field.length)) }
                for field in memos where looked < Self.mostMemos {
                    guard let block = DBFMemo.block(record.dropFirst(field.start).prefix(field.length)), block > 0 else { continue }
                    looked += 1
                    if case .text(let text)? = try? memo?.value(block) { add(text[...]) }
                }
                guard bytes.count < Self.mostBytes else { return }
            }
        }
    }

    private mutating func add(_ text: ArraySlice<UInt8>) {
        let upper = text.count { $0 >= 0x80 }
        guard upper > 0 else { return }
        letters += upper
        bytes += OldValueText.trimmed(text.prefix(Self.mostBytes)) + [0x20]
    }

    /// Name of the most likely encoding; if several are equal, the one that programs of this kind
    /// wrote wins. Nil where everything is ASCII.
    func likeliest(isVisualFoxPro: Bool) -> String? {
        guard letters > 0 else { return nil }
        if TextRepair.isValid(bytes.span) { return TextEncoding.utf8.rawValue }
        if let page = cyrillic { return page }
        let pages: [TextEncoding] = isVisualFoxPro ? [.windows1252, .cp850, .cp437] : [.cp850, .cp437, .windows1252]
        return EncodingDetector.singleByte(bytes, among: pages).rawValue
    }

    /// The Cyrillic page of texts whose words lie beyond ASCII as wholes. In Latin texts such letters
    /// stand alone.
    private var cyrillic: String? {
        let words = bytes.split { $0 < 0x80 }.filter { $0.count >= 3 }
        let inWords = words.reduce(0) { $0 + $1.count }
        // Lines drawn with characters of DOS are long as well, but of few kinds.
        guard inWords * 4 >= letters * 3, Set(words.joined()).count >= 6 else { return nil }
        func share(_ isLetter: (UInt8) -> Bool) -> Int { words.reduce(0) { $0 + $1.count(where: isLetter) } }
        let dos = share { 0x80...0xAF ~= $0 || 0xE0...0xF1 ~= $0 }
        let windows = share { $0 >= 0xC0 || $0 == 0xA8 || $0 == 0xB8 }
        guard max(dos, windows) * 10 >= inWords * 9 else { return nil }
        return dos > windows ? "cp866" : "cp1251"
    }
}
