import Foundation

@testable import Blocks

/// Makes grey PNG pictures without compression (https://www.w3.org/TR/png-3/).
enum PNG {
    /// A white picture with a grey border and a diagonal.
    static func frame(_ width: Double, _ height: Double, _ seed: UInt8) -> ReportPicture {
        let (across, down) = (max(Int(width * 2.0), 4), max(Int(height * 2.0), 4))
        return picture(width: across, height: down) { x, y in
            x < 2 || y < 2 || x >= across - 2 || y >= down - 2 || abs(x * down - y * across) < across ? 90 &+ seed : 245
        }
    }

    static func picture(width: Int, height: Int, _ grey: (Int, Int) -> UInt8) -> ReportPicture {
        var raw: [UInt8] = []
        raw.reserveCapacity((width + 1) * height)
        for y in 0..<height {
            raw.append(0)
            for x in 0..<width { raw.append(grey(x, y)) }
        }
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        while start < raw.count {
            let count = min(raw.count - start, 65_535)
            stream.append(start + count == raw.count ? 1 : 0)
            stream += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255)]
            stream += raw[start..<start + count]
            start += count
        }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in raw {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        stream += bytes(b << 16 | a)
        let file = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", bytes(UInt32(width)) + bytes(UInt32(height)) + [8, 0, 0, 0, 0])
            + chunk("IDAT", stream) + chunk("IEND", [])
        return ReportPicture(bytes: file, isPNG: true, width: width, height: height)
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bytes(UInt32(content.count)) + body + bytes(crc(body))
    }

    private static func bytes(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
    }
}
