import Digests
import Foundation
import Testing
import Workbench

@Suite struct SHA256Tests {
    /// Messages and digests that NIST gives as examples for FIPS 180-4.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    ]) func theExamplesOfTheStandard(_ message: String, _ sum: String) {
        let digest = SHA256.digest(of: message)
        #expect(digest.hexadecimal == sum)
        #expect(digest.bytes.map { String(format: "%02x", Int($0)) }.joined() == sum)
        #expect(digest.bytes.count == Digest.byteCount)
        #expect(sum.hasPrefix(String(digest.first, radix: 16)) && sum.hasSuffix(String(digest.fourth, radix: 16)))
    }

    @Test func aStreamIsReadToItsEnd() {
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        var place = 0
        let read = SHA256.digest { piece in
            // A reader may give less than there is room for.
            let count = min(piece.count - 7, bytes.count - place)
            for index in 0..<count { piece[index] = bytes[place + index] }
            place += count
            return count
        }
        #expect(read.digest == SHA256.digest(of: bytes))
        #expect(read.bytes == 700_000)
    }

    @Test func piecesOfAnySizeGiveTheSumOfTheWhole() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for size in [1, 3, 63, 64, 65, 999] {
            var sum = SHA256()
            for start in stride(from: 0, to: bytes.count, by: size) {
                sum.update(bytes.span.extracting(start..<min(start + size, bytes.count)))
                sum.update([])
            }
            #expect(sum.digest() == SHA256.digest(of: bytes), "\(size)")
        }
    }

    @Test func aSumGoesOnAfterItWasLookedAt() {
        var sum = SHA256()
        sum.update(Array("ab".utf8))
        let copy = sum
        #expect(sum.digest() == SHA256.digest(of: "ab"))
        sum.update(Array("c".utf8))
        #expect(sum.digest() == SHA256.digest(of: "abc"))
        #expect(copy.digest() == SHA256.digest(of: "ab"))
    }

    @Test func anotherProgramSaysTheSame() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        #expect(try OtherProgram.sha256(folder.write(bytes, to: "bytes")) == SHA256.digest(of: bytes).hexadecimal)
    }
}
