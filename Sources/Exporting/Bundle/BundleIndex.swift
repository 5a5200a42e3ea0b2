import Foundation
import Glibc
import Model
import OutputFiles

/// The `index.csv` of a package. It lists name, size, SHA-256 and state of every file that is in
/// the package or should be. It grows in a file of its own, because there may be many photos.
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
        formatter = CSVFormatter(columns: [], style: CSVStyle(.standard, texts: Texts(), timeZone: .gmt))
        formatter.append(line: ["name", "bytes", "sha256", "state"], to: &buffer)
    }

    deinit {
        if let finished { unsafe unlink(finished.temporaryPath) }
    }

    func add(_ name: String, bytes: Int64?, sha256: String?, _ state: State) throws {
        formatter.append(line: [name, bytes.map { String($0) } ?? "", sha256 ?? "", state.rawValue], to: &buffer)
        if buffer.count > 1 << 16 { try sink.send(&buffer) }
    }

    /// The complete index; its file is deleted with this object.
    func finish() throws -> WrittenFile {
        try sink.send(&buffer)
        let file = try sink.finish().close(rows: 0)
        finished = file
        return file
    }
}
