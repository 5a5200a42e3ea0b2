import Digests
import GRDBSQLite
import Model

/// Words that stand for values in the files of one run: HMAC-SHA256 under a key of its own, which is
/// kept nowhere, so that nobody can find the value by trying, and two runs have nothing in common.
struct Pseudonyms {
    private let sum: HMAC

    init(key: [UInt8] = HMAC.randomKey()) { sum = HMAC(key: key) }

    /// Crockford's letters, among which none is taken for another.
    private static let letters = Array(("0123456789" + "ABCDEFGHJKMNPQRSTVWXYZ").utf8)

    /// Thirteen letters, 64 bits: among a hundred million values two share one with a chance of
    /// one in four thousand.
    func word(for value: String) -> String {
        var bits = sum.digest(of: Array(value.utf8)).first
        var word: [UInt8] = []
        for _ in 0..<13 {
            word.append(Self.letters[Int(bits >> 59)])
            bits <<= 5
        }
        return String(decoding: word, as: UTF8.self)
    }
}

extension SQLFunctions {
    /// `pseudonym(value)`, for anonymous exports alone.
    static func registerPseudonyms(on handle: OpaquePointer, _ pseudonyms: Pseudonyms) {
        let words = ResultCache<String>(limit: 10_000)
        unsafe add("pseudonym", 1, handle) { arguments in
            arguments[0].map { .text(words.value(of: $0, pseudonyms.word)) } ?? .null
        }
    }
}
