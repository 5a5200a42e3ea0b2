import Digests
import Foundation
import Glibc
package import Model
import OutputFiles
import Zipping

/// Packs finished files and photos into one ZIP. The same content gives the same bytes.
///
///     data/assets.xlsx …   the files, under the names given
///     photos/NAME          the photos under their unchanged names
///     index.csv            name, bytes, SHA-256 and state of all of them
///
/// A photo that is missing, or whose checksum differs from its record's, is left out, listed in the
/// index and reported (`PHOTO-MISSING`, `PHOTO-CHANGED`). Throws `BundleFailure` and
/// `OutputFailure`; after an error no files remain.
package struct BundleWriter {
    private static let pieceSize = 1 << 17
    package static let photoFolder = "photos/"

    package init() {}

    /// - Parameters:
    ///   - nextPhoto: returns the photos one after the other, in the caller's order, then nil.
    ///   - finalPath: the package's whole path. The package is written beside it and flushed; the
    ///     caller that registers it renames it.
    ///   - progress: gets the number of photos packed so far.
    package func write(
        files: [BundleFile], nextPhoto: () throws -> BundlePhoto?, finalPath: String, findings: any FindingSink,
        progress: (Int) -> Void
    ) throws -> WrittenFile {
        do {
            let index = try BundleIndex(beside: finalPath)
            var zip = ZipWriter(try OutputFile(finalPath: finalPath))
            for file in files {
                zip = try add(file, to: zip, index)
            }
            var content: [UInt8] = []
            var done = 0
            while let photo = try nextPhoto() {
                try add(photo, to: &zip, index, findings, &content)
                done += 1
                progress(done)
            }
            let listed = try index.finish()
            var size: Int64 = 0
            zip = try pack(listed.temporaryPath, as: "index.csv", sha256: listed.sha256, into: zip, size: &size)
            return try zip.close(rows: files.reduce(0) { $0 + $1.rows })
        } catch let failure as ZipFailure {
            throw BundleFailure(failure)
        }
    }

    private func add(
        _ file: BundleFile, to zip: consuming ZipWriter<OutputFile>, _ index: BundleIndex
    ) throws -> ZipWriter<OutputFile> {
        var size: Int64 = 0
        let packed = try pack(file.path, as: file.name, sha256: file.sha256, into: zip, size: &size)
        try index.add(file.name, bytes: size, sha256: file.sha256, .packed)
        return packed
    }

    /// Copies a file with a known digest into an entry, and sets its size.
    private func pack(
        _ path: String, as name: String, sha256: String, into zip: consuming ZipWriter<OutputFile>, size: inout Int64
    ) throws -> ZipWriter<OutputFile> {
        guard let reading = try FileReader(path) else { throw BundleFailure.fileChanged(path: path) }
        var stream = try ZipStream(zip, name: name, level: Self.level(of: name))
        var sum = SHA256()
        var piece: [UInt8] = []
        while true {
            try reading.read(&piece, upTo: Self.pieceSize)
            if piece.isEmpty { break }
            sum.update(piece)
            try stream.write(piece.span)
            size += Int64(piece.count)
        }
        guard sum.digest().hexadecimal == sha256 else { throw BundleFailure.fileChanged(path: path) }
        return try stream.finish()
    }

    /// The compression level of a file. PDF files are compressed already: compressing 400 pages
    /// took a second and saved 2 %. Archives shrink a little, and slower levels do not improve
    /// this.
    private static func level(of name: String) -> Int32 {
        if name.hasSuffix(".pdf") { 0 } else if name.hasSuffix(".xlsx") || name.hasSuffix(".zip") { 1 } else { 6 }
    }

    private func add(
        _ photo: BundlePhoto, to zip: inout ZipWriter<OutputFile>, _ index: BundleIndex, _ findings: any FindingSink,
        _ content: inout [UInt8]
    ) throws {
        // The whole photo is read into memory, so that its checksum matches the packed bytes even
        // if the file changes meanwhile.
        let state = try read(photo, into: &content)
        let name = Self.photoFolder + photo.name
        switch state {
        case .packed(let sha256):
            try ZipName.check(photo.name)
            guard !photo.name.contains("/") else { throw BundleFailure.nameRefused(photo.name) }
            try zip.add(name, content.span, method: .stored)
            try index.add(name, bytes: Int64(content.count), sha256: sha256, .packed)
        case .missing:
            try index.add(name, bytes: nil, sha256: photo.sha256, .missing)
            // A photo without a path was already reported by the caller.
            if photo.path != nil { try add("PHOTO-MISSING", photo, findings) }
        case .changed:
            try index.add(name, bytes: nil, sha256: photo.sha256, .changed)
            try add("PHOTO-CHANGED", photo, findings)
        }
    }

    private enum PhotoState {
        case packed(sha256: String)
        case missing, changed
    }

    private func read(_ photo: BundlePhoto, into content: inout [UInt8]) throws -> PhotoState {
        guard let path = photo.path, let reading = try FileReader(path) else { return .missing }
        try reading.read(&content, upTo: .max)
        let sha256 = SHA256.digest(of: content).hexadecimal
        if let expected = photo.sha256, expected.lowercased() != sha256 { return .changed }
        return .packed(sha256: sha256)
    }

    private func add(_ code: String, _ photo: BundlePhoto, _ findings: any FindingSink) throws {
        try findings.add(
            Finding(
                code, place: Place(file: photo.name),
                arguments: ["name": photo.name]))
    }
}

/// The `index.csv` of a package. The index lists name, size, SHA-256 and state of every packed or
/// missing file. It is first written to a temporary file, because there may be many photos.
final class BundleIndex {
    enum State: String {
        case packed, missing, changed
    }

    private let sink: BackgroundSink<OutputFile>
    private var formatter: CSVFormatter
    private var buffer = ByteBuffer()
    private var finished: WrittenFile?

    init(beside path: String) throws {
        sink = BackgroundSink(try OutputFile(finalPath: path + ".index.csv"))
        let style = CSVStyle(.standard, texts: Texts(), language: .english, timeZone: .gmt)
        formatter = CSVFormatter(columns: [], style: style)
        formatter.append(line: ["name", "bytes", "sha256", "state"], to: &buffer)
    }

    deinit {
        if let finished { unsafe unlink(finished.temporaryPath) }
    }

    func add(_ name: String, bytes: Int64?, sha256: String?, _ state: State) throws {
        formatter.append(line: [name, bytes.map { String($0) } ?? "", sha256 ?? "", state.rawValue], to: &buffer)
        if buffer.count > 1 << 16 { try sink.send(&buffer) }
    }

    /// Completes the index. Its temporary file is deleted when this object is released.
    func finish() throws -> WrittenFile {
        try sink.send(&buffer)
        let file = try sink.finish().close(rows: 0)
        finished = file
        return file
    }
}
