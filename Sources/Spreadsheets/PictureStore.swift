import Digests
import Glibc
package import Model
package import OutputFiles
import Zipping

/// Pictures of a workbook that is being written. libxlsxwriter stores every picture in memory until
/// it closes the workbook, and tries to compress it although that is useless. So the library gets a
/// stand-in of a few bytes, with the picture's size and number. The picture itself is stored on
/// disk until `WorkbookFile` replaces the stand-in. Equal pictures are stored once.
///
/// The file is unlinked as soon as it is open, so it disappears even if the process is killed.
package final class PictureStore {
    /// A picture in the store: its stand-in and its size.
    package struct Picture {
        let stand: [UInt8]
        package let width: Int
        package let height: Int
    }

    private struct Place {
        var offset: Int64
        var count: Int
        var sum: Digest
    }

    private let descriptor: Int32
    private let path: String
    private var places: [Place] = []
    private var known: [Digest: Int] = [:]
    private var end: Int64 = 0

    /// Makes the store in the directory of `finalPath`, where the workbook needs space anyway.
    package init(beside finalPath: String) throws(OutputFailure) {
        path = finalPath
        let name = TemporaryName.path(beside: finalPath)
        descriptor = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OutputFailure.system(errno, path: finalPath) }
        unsafe unlink(name)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Stores a PNG or JPEG of the given size in pixels.
    package func keep(_ bytes: [UInt8], isPNG: Bool, width: Int, height: Int) throws(OutputFailure) -> Picture {
        let sum = SHA256.digest(of: bytes)
        let number: Int
        if let same = known[sum] {
            number = same
        } else {
            number = places.count
            try put(bytes)
            known[sum] = number
            places.append(Place(offset: end, count: bytes.count, sum: sum))
            end += Int64(bytes.count)
        }
        return Picture(
            stand: Self.stand(number, isPNG: isPNG, width: width, height: height), width: width, height: height)
    }

    /// The picture for a stand-in that the library wrote; nil if these bytes are not a stand-in.
    func picture(standing bytes: [UInt8]) throws(OutputFailure) -> [UInt8]? {
        guard bytes.count < 128, let mark = bytes.lastIndex(of: Self.mark),
            let number = Int(String(decoding: bytes[(mark + 1)...], as: UTF8.self)),
            places.indices.contains(number)
        else { return nil }
        return try read(places[number])
    }

    // MARK: Stand-ins

    private static let mark = UInt8(ascii: "#")

    /// The part of a file that the library reads: the head of a PNG, or of a JPEG (ITU-T T.81,
    /// B.2.2), followed by the number.
    private static func stand(_ number: Int, isPNG: Bool, width: Int, height: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ value: Int, bytes count: Int) {
            for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
        if isPNG {
            bytes += [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            append(width, bytes: 4)
            append(height, bytes: 4)
            bytes += [8, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("IEND".utf8)
        } else {
            bytes += [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8]
            append(height, bytes: 2)
            append(width, bytes: 2)
        }
        return bytes + [mark] + Array(String(number).utf8)
    }

    // MARK: Bytes

    private func put(_ bytes: [UInt8]) throws(OutputFailure) {
        let error = unsafe bytes.withUnsafeBytes { unsafe OpenFile.write($0, to: descriptor, at: end) }
        if let error { throw OutputFailure.system(error, path: path) }
    }

    private func read(_ place: Place) throws(OutputFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: place.count)
        let error = unsafe bytes.withUnsafeMutableBytes {
            unsafe OpenFile.read(into: $0, from: descriptor, at: place.offset)
        }
        if let error { throw OutputFailure.system(error, path: path) }
        guard SHA256.digest(of: bytes) == place.sum else {
            throw OutputFailure.inputOutput(path: path, reason: "a picture came back from the disk as another")
        }
        return bytes
    }
}

/// The file of a finished workbook: equal workbooks give equal bytes. The file is complete under
/// its temporary name, flushed, with its SHA-256.
package struct WorkbookFile: ~Copyable {
    private let draft: TemporaryFile
    private let finalPath: String

    /// - Parameter finalPath: the file's final path, whose directory must exist.
    package init(finalPath: String) {
        self.finalPath = finalPath
        draft = TemporaryFile(path: TemporaryName.path(beside: finalPath))
    }

    /// The path for the file that libxlsxwriter writes; that file is deleted together with this
    /// value.
    package var draftPath: String { draft.path }

    /// Copies the closed workbook part by part, because the library's archive contains the current
    /// time.
    /// - Parameter pictures: the pictures whose stand-ins are in the workbook.
    package func finish(rows: Int, pictures: PictureStore? = nil) throws -> WrittenFile {
        var zip = ZipWriter(try OutputFile(finalPath: finalPath, isPatched: true))
        let reader = try ZipReader(path: draft.path)
        for entry in reader.entries {
            if let pictures, entry.name.hasPrefix("xl/media/") {
                guard let picture = try pictures.picture(standing: reader.read(entry, atMost: 1 << 10)) else {
                    throw OutputFailure.library(name: "libxlsxwriter", reason: "\(entry.name): no picture")
                }
                // A picture is compressed already.
                try zip.add(entry.name, picture.span, method: .stored)
            } else {
                try zip.copy(entry, from: reader)
            }
        }
        return try zip.close(rows: rows)
    }
}
