import Model

/// The pairs of an ASCII DXF file, in order: a group code on one line, its value on the next (DXF
/// Reference, "Group codes").
struct DXFPairs {
    struct Pair {
        var code: Int
        var value: String
        /// Line of the code, counted from 1.
        var line: Int

        /// The value as a number; nil if it is not a finite number.
        var number: Double? {
            guard let number = Double(value), number.isFinite else { return nil }
            return number
        }
    }

    static let longestLine = 1 << 16

    private let path: String
    private let source: any ByteSource
    private let limit: UInt64
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var filled = 0
    private var position = 0
    private var total: UInt64 = 0
    private(set) var line = 0

    init(path: String, source: any ByteSource, limit: UInt64) {
        self.path = path
        self.source = source
        self.limit = limit
    }

    func damaged(_ reason: String) -> PackageFailure { .drawing(Place(file: path, line: line), reason: reason) }

    /// The next pair that is not a comment; nil at the end of the file.
    mutating func next() throws -> Pair? {
        while true {
            guard let head = try nextLine() else { return nil }
            let text = String(decoding: head, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
            if text.isEmpty, filled == 0 { return nil }
            guard let code = Int(text), (-5...1071).contains(code) else {
                throw damaged("`\(text.prefix(20))` is no group code")
            }
            let place = line
            guard let value = try nextLine() else { throw damaged("the file ends within a group") }
            if code != 999 { return Pair(code: code, value: Self.text(value), line: place) }
        }
    }

    private mutating func nextLine() throws -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            if position == filled {
                filled = try source.read(into: &buffer, from: 0)
                position = 0
                total += UInt64(filled)
                guard total <= limit else {
                    throw PackageFailure.tooLarge(
                        path: path, name: "", limit: "drawingBytes", value: "\(limit)", found: nil)
                }
                if filled == 0 {
                    guard !bytes.isEmpty else { return nil }
                    break
                }
            }
            let rest = buffer[position..<filled]
            if let end = rest.firstIndex(of: 0x0A) {
                bytes += rest[..<end]
                position = end + 1
                break
            }
            bytes += rest
            position = filled
            guard bytes.count <= Self.longestLine else {
                throw damaged("a line has more than \(Self.longestLine) bytes")
            }
        }
        line += 1
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes
    }

    /// Decodes UTF-8, used since AutoCAD 2007. Text that is not valid UTF-8 is from an older program
    /// and is read as Windows-1252, the code page of AutoCAD in Europe and America.
    private static func text(_ bytes: [UInt8]) -> String {
        let text = String(validating: bytes, as: UTF8.self) ?? old(bytes)
        let trimmed = text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
        return String(trimmed)
    }

    private static let oldPage = CodePage(named: "cp1252")

    private static func old(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        oldPage?.decode(bytes[...], into: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
