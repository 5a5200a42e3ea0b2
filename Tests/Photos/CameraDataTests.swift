import Testing
@testable import Photos

/// EXIF data as bytes: directories with entries of tag, type, count and four bytes.
private func exif(_ directories: [[(Int, Int, Int, [UInt8])]], at offsets: [Int], data: [(Int, [UInt8])] = [], size: Int = 400) -> [UInt8] {
    var tiff = [UInt8](repeating: 0, count: size)
    func put(_ offset: Int, _ bytes: [UInt8]) { for (index, byte) in bytes.enumerated() { tiff[offset + index] = byte } }
    func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    func long(_ value: Int) -> [UInt8] { short(value >> 16 & 0xFFFF) + short(value & 0xFFFF) }
    put(0, [0x4D, 0x4D, 0, 42] + long(offsets[0]))
    for (entries, offset) in zip(directories, offsets) {
        put(offset, short(entries.count) + entries.flatMap { short($0.0) + short($0.1) + long($0.2) + $0.3 })
    }
    for (offset, bytes) in data { put(offset, bytes) }
    return [UInt8]("Exif".utf8) + [0, 0] + tiff
}

private func place(south: String = "S", fractions: [UInt32] = [12, 1, 3, 1, 0, 1]) -> CameraData? {
    let numbers = fractions.flatMap { value in (0..<4).reversed().map { UInt8(value >> (8 * UInt32($0)) & 0xFF) } }
    let letter = [UInt8](south.utf8) + [0, 0, 0]
    return CameraData(
        segment: exif(
            [[(0x8825, 4, 1, [0, 0, 0, 50])], [(1, 2, 2, letter), (2, 5, 3, [0, 0, 0, 200]), (3, 2, 2, [0x57, 0, 0, 0]), (4, 5, 3, [0, 0, 0, 200])]],
            at: [8, 50], data: [(200, numbers)])[...])
}

@Suite struct CameraDataTests {
    @Test func aPlace() throws {
        let camera = try #require(place())
        #expect(abs((camera.latitude ?? 0) + 12.05) < 1e-9 && abs((camera.longitude ?? 0) + 12.05) < 1e-9)
    }

    @Test func whatIsNoPlace() {
        #expect(place(south: "X")?.latitude == nil)
        #expect(place(fractions: [12, 0, 3, 1, 0, 1])?.latitude == nil)
        #expect(place(fractions: [0, 1, 0, 1, 0, 1])?.latitude == nil)
        #expect(place(fractions: [91, 1, 0, 1, 0, 1])?.latitude == nil)
        #expect(place(fractions: [4_000_000_000, 1, 0, 1, 0, 1])?.latitude == nil)
    }

    /// A directory points to itself, entries lie behind the end, and a count is too high.
    @Test func directoriesThatLie() {
        #expect(CameraData(segment: exif([[(0x8825, 4, 1, [0, 0, 0, 8]), (0x8769, 4, 1, [0, 0, 0, 8])]], at: [8])[...])?.latitude == nil)
        #expect(CameraData(segment: exif([[(0x8825, 4, 1, [0xFF, 0xFF, 0xFF, 0xFF])]], at: [8])[...])?.latitude == nil)
        #expect(CameraData(segment: exif([[(0x8769, 4, 1, [0, 0, 0, 50])], [(0x9003, 2, 0x7FFF_FFFF, [0, 0, 0, 90])]], at: [8, 50])[...])?.taken == nil)
        #expect(CameraData(segment: exif([], at: [4_000_000])[...])?.taken == nil)
        #expect(CameraData(segment: (exif([], at: [8], data: [(8, [0xFF, 0xFF])]))[...])?.taken == nil)
        #expect(CameraData(segment: [UInt8]("Exif".utf8)[...]) == nil)
        #expect(CameraData(segment: [UInt8]("http://ns.adobe.com/xap/1.0/".utf8)[...]) == nil)
    }

    @Test func times() {
        #expect(CameraTime("2025:03:03 09:17:47", offset: "-05:00")?.offset == -18_000)
        #expect(CameraTime("2025:03:03 09:17:47", offset: "+05:30")?.offset == 19_800)
        #expect(CameraTime("2025:03:03 09:17:47", offset: "local")?.second == 47)
        #expect(CameraTime("2025:03:03 09:17:47", offset: "local")?.offset == nil)
        for text in ["0000:00:00 00:00:00", "    :  :     :  :  ", "2025-03-03 09:17:47", "2025:13:03 09:17:47", "2025:02:30 09:17:47", "2025:04:31 09:17:47", "2025:03:03 24:00:00", "2025:03:03", ""] {
            #expect(CameraTime(text, offset: nil) == nil, "\(text)")
        }
    }
}
