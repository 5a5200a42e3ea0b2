/// Makes an archive of stored entries whose checksums are right for any content. Changes of a
/// finished archive would only break its checksums.
enum StoredArchive {
    static func bytes(_ entries: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var out: [UInt8] = [], directory: [UInt8] = []
        for (name, content) in entries {
            let offset = out.count
            // The fields are: version, flags, method 0, time, day, checksum, both sizes, and the
            // lengths of the name and of the extra field.
            let common = little(20, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0x5021, 2) + little(Int(checksum(content)), 4)
                + little(content.count, 4) + little(content.count, 4) + little(name.utf8.count, 2) + little(0, 2)
            out += [0x50, 0x4B, 3, 4] + common + Array(name.utf8) + content
            directory += [0x50, 0x4B, 1, 2] + little(20, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(offset, 4) + Array(name.utf8)
        }
        let end = [0x50, 0x4B, 5, 6] + little(0, 4) + little(entries.count, 2) + little(entries.count, 2) + little(directory.count, 4) + little(out.count, 4) + little(0, 2)
        return out + directory + end
    }

    private static func little(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}
