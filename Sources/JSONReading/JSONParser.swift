internal import CYAJL

/// Wraps YAJL, which parses bytes and reports events. This type returns none of YAJL's pointers.
///
/// Comments and trailing text are refused, every text is checked to be UTF-8, and a value over a
/// limit ends the parsing at once.
@safe final class JSONParser {
    /// The position right after the last token.
    private(set) var offset = 0
    private let events: any JSONEventSink
    private let limits: JSONLimits
    private var handle: OpaquePointer?
    /// YAJL stores the address of its callbacks.
    private let callbacks: UnsafeMutablePointer<yajl_callbacks>

    /// Bytes of all chunks before the current one.
    private var bytesBefore = 0
    private var chunk: UnsafeBufferPointer<UInt8>?
    private var depth = 0
    private var byteCheck = JSONByteCheck()
    private var reason: JSONMistake.Reason?
    /// The number of bytes up to the end of the last token, used to detect a text or number that
    /// never ends.
    private var tokenEnd = 0
    /// The end of the whole value. This type checks the bytes after it, because YAJL does not
    /// report an unterminated text in them.
    private var valueEnd: Int?
    private var isFirstChunk = true

    /// The line that contains `lineOffset`, and where it starts.
    private var line = 1
    private var lineStart = 0
    private var lineOffset = 0

    /// - Parameter manyValues: whether several values are read one after the other, with a call of
    ///   `begin` before each.
    init(events: any JSONEventSink, limits: JSONLimits, manyValues: Bool = false) throws(JSONMistake) {
        self.events = events
        self.limits = limits
        unsafe callbacks = .allocate(capacity: 1)
        unsafe callbacks.initialize(
            to: yajl_callbacks(
                yajl_null: { unsafe JSONParser.take(.null, for: $0) },
                yajl_boolean: { unsafe JSONParser.takeBoolean($0, $1 != 0) },
                yajl_integer: nil, yajl_double: nil,
                yajl_number: { unsafe JSONParser.takeNumber($0, $1, $2) },
                yajl_string: { unsafe JSONParser.takeText($0, $1, $2, isKey: false) },
                yajl_start_map: { unsafe JSONParser.take(.startObject, for: $0) },
                yajl_map_key: { unsafe JSONParser.takeText($0, $1, $2, isKey: true) },
                yajl_end_map: { unsafe JSONParser.take(.endObject, for: $0) },
                yajl_start_array: { unsafe JSONParser.take(.startArray, for: $0) },
                yajl_end_array: { unsafe JSONParser.take(.endArray, for: $0) }))
        // The parser outlives its handle, so an unretained reference to itself is safe.
        unsafe handle = yajl_alloc(callbacks, nil, Unmanaged.passUnretained(self).toOpaque())
        guard let handle = unsafe handle else { throw mistake(.malformed("out of memory")) }
        if manyValues { _ = unsafe cyajl_allow_many_values(handle) }
    }

    deinit {
        if let handle = unsafe handle { unsafe yajl_free(handle) }
        unsafe callbacks.deinitialize(count: 1)
        unsafe callbacks.deallocate()
    }

    /// Whether a value has been read to its end.
    var isComplete: Bool { valueEnd != nil }

    /// Prepares for the next value, whose positions are counted from its start. The previous value
    /// must be complete and without mistakes.
    func begin() {
        (offset, bytesBefore, tokenEnd, valueEnd, isFirstChunk) = (0, 0, 0, nil, true)
        (line, lineStart, lineOffset) = (1, 0, 0)
        byteCheck = JSONByteCheck()
    }

    /// Parses some more bytes.
    func feed(_ bytes: Span<UInt8>) throws(JSONMistake) {
        var bytes = bytes
        if isFirstChunk, !bytes.isEmpty {
            isFirstChunk = false
            if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
                bytes = bytes.extracting(3...)
                (bytesBefore, lineStart, lineOffset, tokenEnd) = (3, 3, 3, 3)
            }
        }
        guard let (index, reason) = byteCheck.firstMistake(in: bytes) else {
            try give(bytes)
            return
        }
        // The bytes before may contain an earlier mistake, which is reported first.
        try give(bytes.extracting(..<index))
        offset = bytesBefore
        throw mistake(reason)
    }

    /// Reports the end of the bytes.
    func finish() throws(JSONMistake) {
        guard let handle = unsafe handle else { return }
        offset = bytesBefore
        if unsafe yajl_complete_parse(handle) != yajl_status_ok { throw failure() }
        // A parser of several values would also accept an empty text.
        if !isComplete { throw mistake(.unexpectedEnd) }
    }

    /// A mistake at the current position.
    func mistake(_ reason: JSONMistake.Reason) -> JSONMistake {
        let place = place(at: offset)
        return JSONMistake(reason: reason, offset: offset, line: place.line, column: place.column)
    }

    /// Line and column of an offset in the current chunk or right after the chunk. From call to
    /// call, offsets must not decrease.
    func place(at offset: Int) -> (line: Int, column: Int) {
        if let chunk = unsafe chunk {
            let end = min(offset, bytesBefore + chunk.count)
            let bytes = unsafe chunk.span.extracting(..<max(0, end - bytesBefore))
            while let found = bytes.position(of: UInt8(ascii: "\n"), from: lineOffset - bytesBefore) {
                line += 1
                lineStart = bytesBefore + found + 1
                lineOffset = lineStart
            }
            lineOffset = max(lineOffset, end)
        }
        return (line, max(1, offset - lineStart + 1))
    }

    private func give(_ bytes: Span<UInt8>) throws(JSONMistake) {
        guard let handle = unsafe handle, !bytes.isEmpty else { return }
        var failed: JSONMistake?
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe chunk = buffer
            defer { unsafe chunk = nil }
            let status = unsafe yajl_parse(handle, buffer.baseAddress, buffer.count)
            if status != yajl_status_ok {
                offset = bytesBefore + min(buffer.count, unsafe yajl_get_bytes_consumed(handle))
                failed = failure()
            }
            // Advances the line count over this chunk.
            _ = place(at: bytesBefore + buffer.count)
            bytesBefore += buffer.count
        }
        if let failed { throw failed }
        if let valueEnd {
            let start = max(0, valueEnd - (bytesBefore - bytes.count))
            for index in start..<bytes.count where ![0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) {
                offset = bytesBefore - bytes.count + index
                throw mistake(.trailingText)
            }
        }
        offset = bytesBefore
        if bytesBefore - tokenEnd > limits.textBytes &* 6 { throw mistake(.textTooLong(limit: limits.textBytes)) }
    }

    private func failure() -> JSONMistake {
        if let reason { return mistake(reason) }
        if isComplete { return mistake(.trailingText) }
        guard let handle = unsafe handle, let words = unsafe yajl_get_error(handle, 0, nil, 0) else {
            return mistake(.unexpectedEnd)
        }
        defer { unsafe yajl_free_error(handle, words) }
        let length = unsafe Int(strlenOf(words))
        var text = unsafe String(decoding: UnsafeBufferPointer(start: words, count: length), as: UTF8.self)
        while text.last?.isWhitespace == true || text.last == "." { text.removeLast() }
        if text.contains("premature EOF") { return mistake(.unexpectedEnd) }
        if text.contains("trailing garbage") { return mistake(.trailingText) }
        if text.contains("UTF8") { return mistake(.invalidUTF8) }
        for prefix in ["lexical error: ", "parse error: "] where text.hasPrefix(prefix) {
            text.removeFirst(prefix.count)
        }
        return mistake(.malformed(text))
    }

    private func strlenOf(_ words: UnsafeMutablePointer<UInt8>) -> Int {
        var length = 0
        while unsafe words[length] != 0 { length += 1 }
        return length
    }

    // MARK: callbacks of YAJL; 1 continues, 0 ends the parsing

    private static func parser(_ context: UnsafeMutableRawPointer?) -> JSONParser? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<JSONParser>.fromOpaque(context).takeUnretainedValue()
    }

    private static func take(_ event: JSONEvent, for context: UnsafeMutableRawPointer?) -> CInt {
        guard let parser = unsafe parser(context) else { return 0 }
        return parser.take(event, Span())
    }

    private static func takeBoolean(_ context: UnsafeMutableRawPointer?, _ isTrue: Bool) -> CInt {
        guard let parser = unsafe parser(context) else { return 0 }
        let word = isTrue ? JSONEvent.words.yes : JSONEvent.words.no
        return parser.take(isTrue ? .yes : .no, word.span)
    }

    private static func takeNumber(_ context: UnsafeMutableRawPointer?, _ start: UnsafePointer<CChar>?, _ count: Int)
        -> CInt
    {
        guard let parser = unsafe parser(context), let start = unsafe start else { return 0 }
        guard count <= parser.limits.numberLength else {
            return parser.stop(.numberTooLong(limit: parser.limits.numberLength))
        }
        return unsafe start.withMemoryRebound(to: UInt8.self, capacity: count) { start in
            unsafe parser.take(.number, UnsafeBufferPointer(start: start, count: count).span)
        }
    }

    private static func takeText(
        _ context: UnsafeMutableRawPointer?, _ start: UnsafePointer<UInt8>?, _ count: Int, isKey: Bool
    ) -> CInt {
        guard let parser = unsafe parser(context) else { return 0 }
        guard count <= parser.limits.textBytes else { return parser.stop(.textTooLong(limit: parser.limits.textBytes)) }
        let buffer = unsafe UnsafeBufferPointer(start: start, count: count)
        let bytes = unsafe buffer.span
        // YAJL's own check accepts overlong forms and surrogates.
        guard isUTF8(bytes) else { return parser.stop(.invalidUTF8) }
        return parser.take(isKey ? .key : .string, bytes)
    }

    @inline(__always) private static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
        var bits: UInt8 = 0
        for index in bytes.indices { bits |= bytes[index] }
        return bits < 0x80 || (try? UTF8Span(validating: bytes)) != nil
    }

    private func take(_ event: JSONEvent, _ bytes: Span<UInt8>) -> CInt {
        if let handle = unsafe handle { offset = bytesBefore + (unsafe yajl_get_bytes_consumed(handle)) }
        tokenEnd = offset
        if depth == 0, isComplete { return stop(.trailingText) }
        switch event {
        case .startArray, .startObject:
            depth += 1
            if depth > limits.depth { return stop(.tooDeep(limit: limits.depth)) }
        case .endArray, .endObject:
            depth -= 1
        default:
            break
        }
        if depth == 0 { valueEnd = offset }
        do throws(JSONMistake.Reason) {
            try events.take(event, bytes, from: self)
            return 1
        } catch {
            return stop(error)
        }
    }

    private func stop(_ reason: JSONMistake.Reason) -> CInt {
        self.reason = reason
        return 0
    }
}
