import Foundation
import Glibc
import Model
import OutputFiles
import Testing
import Workbench

@testable import Exporting

/// Each test runs in a process of its own, with a limit of 64 KiB on the size of files. A write
/// beyond this limit ends like one on a full disk.
@Suite struct TextFullDiskTests {
    private static func expectDiskFull(_ writer: some ExportWriter, file name: String) throws {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 1 << 16, rlim_max: 1 << 16)
        #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
        let folder = try TemporaryFolder()
        var generator = SeededNumbers(1)
        let document = SampleExport.document([
            // Random digits do not compress well.
            SampleExport.sheet("t", [SampleExport.column("a")], (0..<100_000).map { _ in [.integer(.random(in: 0...(.max), using: &generator))] })
        ])
        #expect(throws: OutputFailure.diskFull(path: folder.file(name))) {
            try writer.write(document, stem: folder.file("out"), findings: FindingList(), progress: { _ in })
        }
        #expect(try folder.names == [])
    }

    @Test func csv() async {
        await #expect(processExitsWith: .success) { try Self.expectDiskFull(CSVWriter(dialect: .standard, zipped: false), file: "out-t.csv") }
    }

    @Test func csvInAnArchive() async {
        await #expect(processExitsWith: .success) { try Self.expectDiskFull(CSVWriter(dialect: .standard, zipped: true), file: "out-csv.zip") }
    }

    @Test func xml() async {
        await #expect(processExitsWith: .success) { try Self.expectDiskFull(XMLWriter(), file: "out.xml") }
    }
}
