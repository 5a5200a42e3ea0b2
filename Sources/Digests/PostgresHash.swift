/// The hashes that PostgreSQL uses for its hash tables and partitions. A server sums these hashes
/// over many rows very fast. The algorithm is Bob Jenkins's lookup3 of 2006, as in PostgreSQL's
/// `common/hashfn.c` on a little-endian machine. The sums show whether replica and server have the
/// same rows; they do not protect against tampering.
package enum PostgresHash {
    /// PostgreSQL's start of time, 2000-01-01, in microseconds since 1970.
    package static let epoch: Int64 = 946_684_800_000_000

    /// Computes PostgreSQL's `uuid_hash_extended(id, timestamp_hash_extended(time, 0))`; without a
    /// time the seed is 0.
    ///
    /// - Parameters:
    ///   - id: a UUID's text, 36 characters; any other text gives nil.
    ///   - microseconds: time since `epoch`.
    package static func of(id: Span<UInt8>, microseconds: Int64?) -> Int64? {
        guard let (first, second) = words(id) else { return nil }
        var state = State(length: 16, seed: microseconds.map { UInt64(bitPattern: time($0)) } ?? 0)
        state.a &+= UInt32(truncatingIfNeeded: first)
        state.b &+= UInt32(truncatingIfNeeded: first >> 32)
        state.c &+= UInt32(truncatingIfNeeded: second)
        state.mix()
        state.a &+= UInt32(truncatingIfNeeded: second >> 32)
        return state.finished()
    }

    /// `timestamp_hash_extended(time, 0)`.
    static func time(_ microseconds: Int64) -> Int64 {
        let high = UInt32(truncatingIfNeeded: microseconds >> 32)
        var state = State(length: 4, seed: 0)
        state.a &+= UInt32(truncatingIfNeeded: microseconds) ^ (microseconds >= 0 ? high : ~high)
        return state.finished()
    }

    /// A UUID as two words, the low bytes first.
    private static func words(_ id: Span<UInt8>) -> (UInt64, UInt64)? {
        var (words, count) = ((UInt64(0), UInt64(0)), UInt64(0))
        for index in id.indices {
            let byte = id[index]
            if byte == UInt8(ascii: "-") { continue }
            let digit: UInt64
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt64(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = UInt64(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
            guard count < 32 else { return nil }
            // The first digit of a byte is its high half.
            let shift = (count % 16 / 2) * 8 + (count % 2 == 0 ? 4 : 0)
            if count < 16 { words.0 |= digit << shift } else { words.1 |= digit << shift }
            count += 1
        }
        return count == 32 ? words : nil
    }

    private struct State {
        var a: UInt32
        var b: UInt32
        var c: UInt32

        init(length: UInt32, seed: UInt64) {
            a = 0x9e37_79b9 &+ length &+ 3_923_095
            (b, c) = (a, a)
            guard seed != 0 else { return }
            a &+= UInt32(truncatingIfNeeded: seed >> 32)
            b &+= UInt32(truncatingIfNeeded: seed)
            mix()
        }

        private static func turned(_ word: UInt32, _ by: UInt32) -> UInt32 { word << by | word >> (32 - by) }

        mutating func mix() {
            Self.stir(&a, c, 4, &c, b)
            Self.stir(&b, a, 6, &a, c)
            Self.stir(&c, b, 8, &b, a)
            Self.stir(&a, c, 16, &c, b)
            Self.stir(&b, a, 19, &a, c)
            Self.stir(&c, b, 4, &b, a)
        }

        /// One line of lookup3's `mix`: `word -= last; word ^= rot(last, turn); sum += next`.
        private static func stir(
            _ word: inout UInt32, _ last: UInt32, _ turn: UInt32, _ sum: inout UInt32, _ next: UInt32
        ) {
            word = (word &- last) ^ turned(last, turn)
            sum &+= next
        }

        private static func end(_ word: inout UInt32, _ other: UInt32, _ turn: UInt32) {
            word = (word ^ other) &- turned(other, turn)
        }

        mutating func finished() -> Int64 {
            Self.end(&c, b, 14)
            Self.end(&a, c, 11)
            Self.end(&b, a, 25)
            Self.end(&c, b, 16)
            Self.end(&a, c, 4)
            Self.end(&b, a, 14)
            Self.end(&c, b, 24)
            return Int64(bitPattern: UInt64(b) << 32 | UInt64(c))
        }
    }
}
