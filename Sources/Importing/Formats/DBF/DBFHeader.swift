/// The header of a DBF file: dBase II to 7, FoxBASE, FoxPro and Visual FoxPro.
///
/// Source: "dBase File Format" (dBase IV and 7 level), "Table File Structure" of Visual FoxPro's
/// help, and dBase II's manual.
struct DBFHeader {
    enum Layout { case dBaseII, dBaseIII, dBase7 }

    let version: UInt8
    let layout: Layout
    let statedRecords: Int
    let headerLength: Int
    let recordLength: Int
    /// Number of the language driver; 0 if none is stated.
    let languageDriver: UInt8
    let isEncrypted: Bool
    let fields: [DBFField]

    static let versions: Set<UInt8> = [
        0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8B, 0x8C, 0xCB, 0xF5, 0xFB,
    ]
    static let mostFields = 2046

    var isVisualFoxPro: Bool { 0x30...0x32 ~= version }

    /// Reads the header from the file's first bytes: at most 64 KiB, and the part that dBase 7
    /// stores after it. The error's reason is in English.
    init(_ bytes: [UInt8]) throws(DBFDamage) {
        guard let version = bytes.first, Self.versions.contains(version) else {
            throw DBFDamage("it does not begin as a table does")
        }
        self.version = version
        if version == 0x02 {
            guard let records = bytes.little16(1), let length = bytes.little16(6) else {
                throw DBFDamage("its header is cut off")
            }
            layout = .dBaseII
            statedRecords = records
            headerLength = 521
            recordLength = length
            languageDriver = 0
            isEncrypted = false
            fields = try DBFField.list(bytes, layout: .dBaseII, end: 520, recordLength: length, version: version)
            return
        }
        guard bytes.count >= 32, let records = bytes.little32(4), let header = bytes.little16(8),
            let length = bytes.little16(10)
        else {
            throw DBFDamage("its header is cut off")
        }
        guard header >= 33, bytes.count >= header else { throw DBFDamage("its header says it has \(header) bytes") }
        statedRecords = records
        headerLength = header
        recordLength = length
        languageDriver = bytes[29]
        isEncrypted = bytes[15] == 1 && !(0x30...0x32 ~= version)
        // dBase 7 shares its version number with older versions; its descriptors are longer.
        do {
            fields = try DBFField.list(bytes, layout: .dBaseIII, end: header, recordLength: length, version: version)
            layout = .dBaseIII
        } catch {
            guard version & 7 == 4,
                let long = try? DBFField.list(
                    bytes, layout: .dBase7, end: header, recordLength: length, version: version)
            else {
                throw error
            }
            fields = long
            layout = .dBase7
        }
    }
}

/// Reason in English why a table cannot be read.
struct DBFDamage: Error {
    let reason: String
    /// Number of the record, counted from 1.
    let record: Int?

    init(_ reason: String, record: Int? = nil) {
        self.reason = reason
        self.record = record
    }
}

/// The code page for a table's language driver.
///
/// Source: "Code Pages Supported by Visual FoxPro" and the list of dBase's language drivers.
enum DBFCodePages {
    /// Name of the code page; nil for an unknown driver. For code pages of two-byte characters, the
    /// name is one for which no `CodePage` exists.
    static func name(_ driver: UInt8) -> String? {
        switch driver {
        case 0x01, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x15, 0x18, 0x19, 0x1B: "cp437"
        case 0x02, 0x0A, 0x0E, 0x10, 0x12, 0x14, 0x16, 0x1A, 0x1D, 0x25, 0x37: "cp850"
        case 0x03, 0x57, 0x58, 0x59: "cp1252"
        case 0x04: "mac-roman"
        case 0x08, 0x17, 0x66: "cp865"
        case 0x13, 0x7B: "cp932"
        case 0x1C, 0x6C: "cp863"
        case 0x1F, 0x22, 0x23, 0x40, 0x64, 0x87: "cp852"
        case 0x24: "cp860"
        case 0x26, 0x65: "cp866"
        case 0x67: "cp861"
        case 0x6A, 0x86: "cp737"
        case 0x6B, 0x88: "cp857"
        case 0x4D, 0x7A: "cp936"
        case 0x4E, 0x79: "cp949"
        case 0x4F, 0x78: "cp950"
        case 0xC8: "cp1250"
        case 0xC9: "cp1251"
        case 0xCA: "cp1254"
        case 0xCB: "cp1253"
        case 0xCC: "cp1257"
        default: nil
        }
    }
}

/// A sample of a table's texts, to find the most likely code page if the table has none.
struct DBFTextSample {
    /// Texts with bytes beyond ASCII, each followed by a blank.
    private(set) var bytes: [UInt8] = []
    /// Number of bytes beyond ASCII among them.
    private(set) var letters = 0

    private static let mostBytes = 1 << 16
    /// The most memos to examine, because each needs a separate read.
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
            // A block of only ASCII is skipped; most tables are ASCII.
            guard block.contains(where: { $0 >= 0x80 }) || (!memos.isEmpty && looked < Self.mostMemos) else { continue }
            for start in stride(from: 0, to: block.count - header.recordLength + 1, by: header.recordLength) {
                let record = block[start..<(start + header.recordLength)]
                for field in texts { add(record.dropFirst(field.start).prefix(field.length)) }
                for field in memos where looked < Self.mostMemos {
                    guard let block = DBFMemo.block(record.dropFirst(field.start).prefix(field.length)), block > 0
                    else { continue }
                    looked += 1
                    if case .text(let text)? = try? memo?.value(block) { add(text[...]) }
                }
                guard bytes.count < Self.mostBytes else { return }
            }
        }
    }

    /// Adds a text, unless it is only ASCII.
    private mutating func add(_ text: ArraySlice<UInt8>) {
        let upper = text.count { $0 >= 0x80 }
        guard upper > 0 else { return }
        letters += upper
        bytes += OldValueText.trimmed(text.prefix(Self.mostBytes)) + [0x20]
    }

    /// Name of the most likely encoding; nil if everything is ASCII. In a tie, the page that Visual
    /// FoxPro, or DOS programs, usually wrote wins.
    func likeliest(isVisualFoxPro: Bool) -> String? {
        guard letters > 0 else { return nil }
        if TextRepair.isValid(bytes.span) { return TextEncoding.utf8.rawValue }
        if let page = cyrillic { return page }
        let pages: [TextEncoding] = isVisualFoxPro ? [.windows1252, .cp850, .cp437] : [.cp850, .cp437, .windows1252]
        return EncodingDetector.singleByte(bytes, among: pages).rawValue
    }

    /// The Cyrillic page of texts that have whole words beyond ASCII. In Latin texts such letters
    /// are isolated.
    private var cyrillic: String? {
        let words = bytes.split { $0 < 0x80 }.filter { $0.count >= 3 }
        let inWords = words.reduce(0) { $0 + $1.count }
        // Lines drawn with box characters of DOS are long as well, but use few different bytes.
        guard inWords * 4 >= letters * 3, Set(words.joined()).count >= 6 else { return nil }
        func share(_ isLetter: (UInt8) -> Bool) -> Int { words.reduce(0) { $0 + $1.count(where: isLetter) } }
        let dos = share { 0x80...0xAF ~= $0 || 0xE0...0xF1 ~= $0 }
        let windows = share { $0 >= 0xC0 || $0 == 0xA8 || $0 == 0xB8 }
        guard max(dos, windows) * 10 >= inWords * 9 else { return nil }
        return dos > windows ? "cp866" : "cp1251"
    }
}
