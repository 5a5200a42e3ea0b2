import Spreadsheets

/// The constant bytes around a column's cells: `<c r="B` row `" s="3" t="inlineStr"><is><t>` text
/// `</t></is></c>`. The bytes are made once for a sheet. They are copied in blocks of fixed size,
/// which compiles to a few vector moves instead of a call.
struct CellMarkup {
    /// A block: its offset in `bytes`, and its number of bytes without the padding to the fixed
    /// size.
    struct Block {
        let offset: Int
        let count: Int
    }

    struct Column {
        let start: Block
        let number: Block
        let text: Block
        let preservedText: Block
        let formula: Block
    }

    static let shortBlock = 16
    static let middleBlock = 32
    static let longBlock = 64

    let columns: [Column]
    let bytes: [UInt8]
    let textEnd: Block
    let numberEnd: Block

    init(styles: [Int]) {
        var bytes: [UInt8] = []
        func block(_ text: String, _ size: Int) -> Block {
            let block = Block(offset: bytes.count, count: text.utf8.count)
            precondition(block.count <= size)
            bytes += text.utf8
            bytes += [UInt8](repeating: 0, count: size - block.count)
            return block
        }
        columns = styles.enumerated().map { column, style in
            Column(
                start: block("<c r=\"\(CellReference.letters(column))", Self.shortBlock),
                number: block("\" s=\"\(style)\"><v>", Self.middleBlock),
                text: block("\" s=\"\(style)\" t=\"inlineStr\"><is><t>", Self.longBlock),
                preservedText: block(
                    "\" s=\"\(style)\" t=\"inlineStr\"><is><t xml:space=\"preserve\">", Self.longBlock),
                formula: block("\" s=\"\(style)\" t=\"str\"><f>HYPERLINK(\"", Self.longBlock))
        }
        textEnd = block("</t></is></c>", Self.shortBlock)
        numberEnd = block("</v></c>", Self.shortBlock)
        self.bytes = bytes
    }
}

/// A row's number in decimal digits, in an integer that can be stored in one step.
struct RowNumber {
    let value: Int
    let word: UInt64
    let count: Int

    init(_ number: Int) {
        value = number
        var rest = UInt64(number)
        var word: UInt64 = 0
        var count = 0
        repeat {
            word = word << 8 | (rest % 10 + 0x30)
            rest /= 10
            count += 1
        } while rest > 0
        self.word = word
        self.count = count
    }
}

extension ByteBuffer {
    /// Copies 16 bytes to reserved space; the first `count` of them become content. `copy32` and
    /// `copy64` do the same.
    @inline(__always)
    mutating func copy16(_ source: UnsafePointer<UInt8>, _ count: Int) {
        unsafe UnsafeMutableRawPointer(base + length).copyMemory(from: source, byteCount: 16)
        advance(count)
    }

    @inline(__always)
    mutating func copy32(_ source: UnsafePointer<UInt8>, _ count: Int) {
        unsafe UnsafeMutableRawPointer(base + length).copyMemory(from: source, byteCount: 32)
        advance(count)
    }

    @inline(__always)
    mutating func copy64(_ source: UnsafePointer<UInt8>, _ count: Int) {
        unsafe UnsafeMutableRawPointer(base + length).copyMemory(from: source, byteCount: 64)
        advance(count)
    }

    @inline(__always)
    mutating func append(_ number: RowNumber) {
        storeWord(number.word)
        advance(number.count)
    }
}
