import Foundation
import Glibc
import Model
import Testing

@testable import Exporting

/// A disk that is full after 64 KiB, for a process of its own: what a limit on the size of files does to a write is what a full
/// disk does.
@Suite struct TextFullDiskTests {
    private static func expectDiskFull(_ writer: some ExportWriter, file name: String) throws {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 1 << 16, rlim_max: 1 << 16)
        #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
        let folder = try ExportFolder()
        let text = MemoryRows.Value.text(String(repeating: "lorem ipsum ", count: 10))
        let document = SampleExport.document([
            SampleExport.sheet("t", [SampleExport.column("a")], Array(repeating: [text], count: 20_000))
        ])
        #expect(throws: ExportFailure.diskFull(path: folder.file(name))) {
            try writer.write(document, stem: folder.file("out"), findings: FindingList(), progress: { _ in })
        }
        #expect(try folder.names == [])
    }

    @Test func csv() async {
        await #expect(processExitsWith: .success) { try Self.expectDiskFull(CSVWriter(dialect: .standard, zipped: false), file: "out-t.csv") }
    }

    @Test func xml() async {
        await #expect(processExitsWith: .success) { try Self.expectDiskFull(XMLWriter(), file: "out.xml") }
    }
}
