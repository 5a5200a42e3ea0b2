internal import CPCRE2

/// A compiled PCRE2 pattern. By default a pattern must match the whole text; with `Reach.anywhere`,
/// any part.
///
/// A pack's pattern may be hostile: `^(a+)+$` takes years in a naive engine. So every match ends
/// within fixed limits of work and memory, or reports `tooCostly`.
///
/// The text is UTF-8; invalid UTF-8 matches nothing. `\d`, `\w` and `\s` mean ASCII, `\p{…}` works,
/// and `$` matches only at the very end. A compiled pattern is immutable, so several threads may
/// use it at the same time.
@safe package final class Pattern: Sendable {
    package enum Outcome: Sendable, Hashable {
        case matched, notMatched
        /// The match reached its limits before the result was known.
        case tooCostly
    }

    /// The pattern as it was written.
    package let source: String

    // A compiled pattern and a match context are read-only while matching (pcre2api,
    // "Multithreading"), so sharing them is safe.
    nonisolated(unsafe) private let code: OpaquePointer
    nonisolated(unsafe) private let limits: OpaquePointer

    /// Backtracking steps; about 10 ms of work.
    private static let matchLimit: UInt32 = 1_000_000
    private static let depthLimit: UInt32 = 100_000
    /// The memory in KiB for backtracking without JIT code.
    private static let heapLimit: UInt32 = 16 * 1024
    private static let maximumLength = 10_000

    /// The part of a text that a pattern must match.
    package enum Reach: Sendable, Hashable {
        case whole
        /// Any part of the text. The pattern is in the syntax of ECMA-262, as JSON Schema requires.
        case anywhere
    }

    /// Compiles a pattern. Throws the reason and the place if the pattern is invalid.
    package init(_ source: String, reach: Reach = .whole) throws(PatternError) {
        let bytes = Array((reach == .anywhere ? ECMASpelling.translated(source) : source).utf8)
        guard bytes.count <= Self.maximumLength else {
            throw PatternError(reason: "the pattern is longer than \(Self.maximumLength) bytes", offset: 0)
        }
        // `\C` is refused, because it matches a single byte and could split a character.
        var options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C
        switch reach {
        // Anchored at both ends, so that a match is always one of the whole text.
        case .whole: options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED
        // As in ECMA-262, `\u00e9` is a character, `[]` is an empty class, and a reference to a
        // group without a match matches an empty text.
        case .anywhere: options |= PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF
        }
        var errorNumber: CInt = 0
        var errorOffset = 0
        let compiled = unsafe bytes.withUnsafeBufferPointer { buffer in
            // An empty array may have no address, which older versions of PCRE2 do not accept for
            // an empty pattern.
            if let start = buffer.baseAddress, !buffer.isEmpty {
                return unsafe pcre2_compile_8(start, buffer.count, options, &errorNumber, &errorOffset, nil)
            }
            var nothing: UInt8 = 0
            return unsafe pcre2_compile_8(&nothing, 0, options, &errorNumber, &errorOffset, nil)
        }
        guard let compiled = unsafe compiled else {
            let offset = String(decoding: bytes.prefix(errorOffset), as: UTF8.self).count
            throw PatternError(reason: Self.message(errorNumber), offset: offset)
        }
        guard let context = unsafe pcre2_match_context_create_8(nil) else {
            unsafe pcre2_code_free_8(compiled)
            throw PatternError(reason: Self.message(PCRE2_ERROR_NOMEMORY), offset: 0)
        }
        unsafe pcre2_set_match_limit_8(context, Self.matchLimit)
        unsafe pcre2_set_depth_limit_8(context, Self.depthLimit)
        unsafe pcre2_set_heap_limit_8(context, Self.heapLimit)
        // If JIT code cannot be made (hardened systems, rare constructs), matching also works, only
        // more slowly.
        unsafe _ = pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE)
        self.source = source
        unsafe self.code = compiled
        unsafe self.limits = context
    }

    deinit {
        unsafe pcre2_match_context_free_8(limits)
        unsafe pcre2_code_free_8(code)
    }

    /// Whether a UTF-8 text matches as a whole.
    package func matchesWhole(_ bytes: Span<UInt8>) -> Outcome {
        unsafe bytes.withUnsafeBufferPointer { unsafe match($0) }
    }

    /// Whether a UTF-8 text matches, within the pattern's reach.
    package func matches(_ bytes: Span<UInt8>) -> Outcome {
        unsafe bytes.withUnsafeBufferPointer { unsafe match($0) }
    }

    /// Whether the bytes at a range match as a whole. Used for the texts of a row batch
    /// (`batch.text`, `cell.range`).
    package func matchesWhole(_ bytes: [UInt8], in range: Range<Int>) -> Outcome {
        matchesWhole(bytes.span.extracting(range))
    }

    package func matchesWhole(_ text: String) -> Outcome {
        var text = text
        return text.withUTF8 { unsafe match($0) }
    }

    /// The text that the first group matches, or the whole match if the pattern has no group. Nil
    /// if nothing matches, the group has no match, or the limits were reached.
    package func firstGroup(in text: String) -> String? {
        var text = text
        return text.withUTF8 { text -> String? in
            guard let result = unsafe pcre2_match_data_create_8(2, nil) else { return nil }
            defer { unsafe pcre2_match_data_free_8(result) }
            var empty: UInt8 = 0
            let count = unsafe run(text.baseAddress, text.count, &empty, 0, result)
            guard count >= 0, let offsets = unsafe pcre2_get_ovector_pointer_8(result) else { return nil }
            var groups: UInt32 = 0
            _ = unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &groups)
            let pair = groups > 0 ? 1 : 0
            // A group without a match has no offsets, or the offsets -1 if a later group has a
            // match (`(a)|(b)`).
            guard groups == 0 || count != 1 else { return nil }
            let (start, end) = unsafe (offsets[2 * pair], offsets[2 * pair + 1])
            guard start >= 0, start <= end, end <= text.count else { return nil }
            return unsafe String(decoding: text[start..<end], as: UTF8.self)
        }
    }

    private func match(_ text: UnsafeBufferPointer<UInt8>) -> Outcome {
        // The match data is made for each match, because threads cannot share it. With one pair of
        // offsets it is small and cheap.
        guard let result = unsafe pcre2_match_data_create_8(1, nil) else { return .tooCostly }
        defer { unsafe pcre2_match_data_free_8(result) }

        let bits = unsafe text.reduce(0 as UInt8, |)
        var options = bits < 0x80 ? PCRE2_NO_UTF_CHECK : 0
        var empty: UInt8 = 0
        var status = unsafe run(text.baseAddress, text.count, &empty, options, result)
        if status == PCRE2_ERROR_JIT_STACKLIMIT {
            options |= PCRE2_NO_JIT
            status = unsafe run(text.baseAddress, text.count, &empty, options, result)
        }
        switch status {
        case 0...: return .matched
        case PCRE2_ERROR_NOMATCH: return .notMatched
        // Invalid UTF-8 matches nothing.
        case PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1: return .notMatched
        // The limits of steps, depth, heap or stack were reached.
        default: return .tooCostly
        }
    }

    private func run(
        _ start: UnsafePointer<UInt8>?, _ count: Int, _ empty: UnsafePointer<UInt8>, _ options: UInt32,
        _ result: OpaquePointer
    ) -> CInt {
        unsafe pcre2_match_8(code, start ?? empty, count, 0, options, result, limits)
    }

    private static func message(_ number: CInt) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let length = unsafe buffer.withUnsafeMutableBufferPointer {
            unsafe pcre2_get_error_message_8(number, $0.baseAddress, $0.count)
        }
        guard length > 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix(Int(length)), as: UTF8.self)
    }
}

/// The reason why a pattern is invalid.
package struct PatternError: Error, Hashable, Sendable {
    /// PCRE2's message, in English: `missing closing parenthesis`.
    package var reason: String
    /// The place in the pattern, in characters from its start, zero-based.
    package var offset: Int
}

/// Translates a pattern from ECMA-262 syntax, which JSON Schema uses, to that of PCRE2. The two
/// differ in the long names of Unicode properties and in the meaning of `\s`.
struct ECMASpelling {
    /// The short name of each general category, by its long name (Unicode, table 12 of UAX #44).
    private static let categories = [
        "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
        "Cased_Letter": "L&",
        "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc",
        "Enclosing_Mark": "Me",
        "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
        "Punctuation": "P", "punct": "P",
        "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
        "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S",
        "Math_Symbol": "Sm",
        "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z",
        "Space_Separator": "Zs",
        "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc",
        "Format": "Cf",
        "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn", "ASCII": "Basic_Latin",
    ]
    private static let space = #"\t\n\x0B\f\r\uFEFF\p{Z}"#

    static func translated(_ source: String) -> String {
        guard source.utf8.contains(UInt8(ascii: "\\")) else { return source }
        var result = ""
        var rest = Substring(source)
        var isInClass = false
        while let character = rest.popFirst() {
            if character == "[" { isInClass = true }
            if character == "]" { isInClass = false }
            guard character == "\\", let escape = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch escape {
            case "p", "P":
                guard rest.first == "{", let end = rest.firstIndex(of: "}") else {
                    result += "\\" + String(escape)
                    continue
                }
                let name = rest[rest.index(after: rest.startIndex)..<end]
                result += property(name, isNegated: escape == "P", isInClass: isInClass)
                rest = rest[rest.index(after: end)...]
            case "s": result += isInClass ? space : "[\(space)]"
            case "S" where !isInClass: result += "[^\(space)]"
            default: result += "\\" + String(escape)
            }
        }
        return result
    }

    private static func property(_ name: Substring, isNegated: Bool, isInClass: Bool) -> String {
        let parts = name.split(separator: "=", maxSplits: 1)
        let value = String(parts.last ?? "")
        let short =
            parts.count == 2 && !["General_Category", "gc"].contains(parts[0]) ? value : categories[value] ?? value
        if short == "Basic_Latin" { return isInClass ? #"\x00-\x7F"# : isNegated ? #"[^\x00-\x7F]"# : #"[\x00-\x7F]"# }
        return (isNegated ? "\\P{" : "\\p{") + short + "}"
    }
}
