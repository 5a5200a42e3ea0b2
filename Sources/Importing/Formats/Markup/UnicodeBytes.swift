/// Converts XML to UTF-8: from UTF-16, and from a code page named in its declaration; everything
/// else passes through unchanged.
final class UnicodeBytes: ByteSource {
    private let source: any ByteSource
    private var decoder: TextDecoder?
    private var isStarted = false
    private var isAtEnd = false
    private var chunk: [UInt8] = []
    private var text: [UInt8] = []
    private var position = 0

    init(_ source: any ByteSource) { self.source = source }

    func read(into buffer: inout [UInt8], from offset: Int) throws -> Int {
        if !isStarted { try start() }
        if decoder == nil {
            guard position == text.count else { return give(&buffer, offset) }
            return try source.read(into: &buffer, from: offset)
        }
        while position == text.count {
            guard !isAtEnd else { return 0 }
            if chunk.isEmpty { chunk = [UInt8](repeating: 0, count: 1 << 16) }
            let count = try source.read(into: &chunk, from: 0)
            isAtEnd = count == 0
            text.removeAll(keepingCapacity: true)
            position = 0
            decoder?.decode(chunk.span.extracting(0..<count), isLast: isAtEnd, to: &text)
        }
        return give(&buffer, offset)
    }

    private func give(_ buffer: inout [UInt8], _ offset: Int) -> Int {
        let count = min(text.count - position, buffer.count - offset)
        guard count > 0 else { return 0 }
        buffer.replaceSubrange(offset..<(offset + count), with: text[position..<(position + count)])
        position += count
        return count
    }

    /// Examines the document's first bytes.
    private func start() throws {
        isStarted = true
        var head = [UInt8](repeating: 0, count: 256)
        var filled = 0
        while filled < head.count {
            let count = try source.read(into: &head, from: filled)
            guard count > 0 else { break }
            filled += count
        }
        head.removeLast(head.count - filled)
        guard let (encoding, mark) = Self.encoding(head) else { return text = head }
        decoder = TextDecoder(encoding)
        decoder?.decode(head.span.extracting(droppingFirst: mark), isLast: false, to: &text)
    }

    /// Nil for UTF-8 and for unknown encodings.
    private static func encoding(_ head: [UInt8]) -> (TextEncoding, mark: Int)? {
        if head.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if head.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if head.starts(with: [0x3C, 0]) { return (.utf16LittleEndian, 0) }
        if head.starts(with: [0, 0x3C]) { return (.utf16BigEndian, 0) }
        guard head.starts(with: Array("<?xml".utf8)) else { return nil }
        let declaration = String(decoding: head.prefix { $0 != 0x3E }, as: UTF8.self).lowercased()
        guard let name = declaration.firstMatch(of: /encoding\s*=\s*["']([^"']+)["']/)?.1 else { return nil }
        switch name {
        // Browsers and Excel treat ISO 8859-1 as Windows-1252.
        case "iso-8859-1", "latin1", "windows-1252": return (.windows1252, 0)
        case "iso-8859-15": return (.latin9, 0)
        default: return nil
        }
    }
}
