import Model
import Testing
import Workbench
@testable import Photos

@Suite struct JPEGPictureTests {
    @Test func aRealPhoto() throws {
        let picture = try #require(JPEGPicture(SamplePhoto.pit()))
        #expect(picture.width == 640 && picture.height == 480 && picture.isComplete)
        let taken = try #require(picture.camera.taken)
        #expect(taken.day.text == "2025-03-03")
        #expect((taken.hour, taken.minute, taken.second) == (9, 17, 47))
        #expect(taken.offset == -5 * 3600)
        #expect(abs((picture.camera.latitude ?? 0) + 5.0920297) < 1e-6)
        #expect(abs((picture.camera.longitude ?? 0) + 80.1520063) < 1e-6)
    }

    @Test func aPhotoThatWasCutOff() throws {
        let bytes = try SamplePhoto.pit()
        let half = try #require(JPEGPicture(Array(bytes.prefix(bytes.count / 2))))
        #expect(!half.isComplete && half.width == 640)
        // If the file is cut off before its frame, nothing says how large the picture is.
        #expect(JPEGPicture(Array(bytes.prefix(100))) == nil)
    }

    @Test func phonesPutMoreBehindTheEnd() {
        #expect(JPEGPicture(SamplePhoto.tiny(end: [0xFF, 0xD9] + [UInt8](repeating: 7, count: 100_000)))?.isComplete == true)
        #expect(JPEGPicture(SamplePhoto.tiny(end: [0xFF]))?.isComplete == false)
        #expect(JPEGPicture(SamplePhoto.tiny(end: []))?.isComplete == false)
    }

    @Test func theEndOfAPictureInsideTheHeadDoesNotCount() {
        let inner = SamplePhoto.segment(0xE2, SamplePhoto.tiny())
        #expect(JPEGPicture(SamplePhoto.tiny(segments: [inner], end: []))?.isComplete == false)
    }

    @Test func fillBytesAndSegmentsThatSayNothing() throws {
        let comment = SamplePhoto.segment(0xFE, [UInt8]("hola".utf8))
        let picture = try #require(JPEGPicture(SamplePhoto.tiny(segments: [[0xFF, 0xFF], comment, [0xFF, 0x01]])))
        #expect(picture.width == 2 && picture.height == 3)
        #expect(picture.camera.taken == nil && picture.camera.latitude == nil)
    }

    @Test func whatIsNoJPEG() {
        #expect(JPEGPicture([]) == nil)
        #expect(JPEGPicture([0xFF, 0xD8]) == nil)
        #expect(JPEGPicture([UInt8]("\u{89}PNG\r\n".utf8)) == nil)
        // The right first bytes are not enough.
        #expect(JPEGPicture([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8]("nothing that anybody could call a picture".utf8)) == nil)
        // One length is less than its own two bytes, and another goes beyond the end.
        #expect(JPEGPicture(SamplePhoto.tiny(segments: [[0xFF, 0xFE, 0, 1]])) == nil)
        #expect(JPEGPicture(SamplePhoto.tiny(segments: [[0xFF, 0xFE, 0xFF, 0xFF]])) == nil)
        // A frame has no lines, or there are two frames.
        #expect(JPEGPicture([0xFF, 0xD8] + SamplePhoto.segment(0xC0, [8, 0, 0, 0, 2, 1, 1, 0x11, 0]) + [0xFF, 0xDA, 0, 2]) == nil)
        let frame = SamplePhoto.segment(0xC0, [8, 0, 1, 0, 2, 1, 1, 0x11, 0])
        #expect(JPEGPicture(SamplePhoto.tiny(segments: [frame])) == nil)
    }

    @Test func segmentsWithoutEndAreGivenUp() {
        let empty = SamplePhoto.segment(0xFE, [])
        #expect(JPEGPicture(SamplePhoto.tiny(segments: Array(repeating: empty, count: 1900))) != nil)
        #expect(JPEGPicture(SamplePhoto.tiny(segments: Array(repeating: empty, count: 2100))) == nil)
    }

    /// Bytes in the header of a real photo are changed, removed or added. Reading it never crashes,
    /// and a position is always in its valid range.
    @Test func mutationsDoNotCrash() throws {
        let original = try SamplePhoto.pit()
        var random = SeededNumbers(20_261_121)
        var refused = 0
        for _ in 0..<3000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let position = Int.random(in: 0..<min(700, bytes.count), using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[position] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                case 2: bytes.removeSubrange(position..<min(bytes.count, position + Int.random(in: 1...40, using: &random)))
                default: bytes.insert(contentsOf: (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }, at: position)
                }
            }
            guard let picture = JPEGPicture(bytes) else {
                refused += 1
                continue
            }
            #expect(picture.width > 0 && picture.height > 0)
            if let latitude = picture.camera.latitude { #expect(abs(latitude) <= 90) }
            if let longitude = picture.camera.longitude { #expect(abs(longitude) <= 180) }
        }
        #expect(refused > 100 && refused < 3000)
    }

    @Test func everyLengthOfARealPhotoIsReadOrRefused() throws {
        let original = try SamplePhoto.pit()
        for length in 0..<min(1200, original.count) { _ = JPEGPicture(Array(original.prefix(length))) }
        #expect(JPEGPicture(original) != nil)
    }
}
