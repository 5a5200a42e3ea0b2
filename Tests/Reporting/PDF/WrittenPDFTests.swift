import Blocks
import Counting
import Foundation
import Model
import Testing
import Workbench

@testable import Reporting

/// A PDF is read again before it gets its name. Whatever of it is cut off, emptied or left out is
/// noticed.
@Suite struct WrittenPDFTests {
    private let folder: TemporaryFolder
    private let bytes: [UInt8]
    private let pages: Int

    init() throws {
        folder = try TemporaryFolder()
        let renderer = try PDFRenderer(ReportSamples.head(), to: folder.file("a.pdf"), numbersBySection: true)
        for name in ["Uno", "Dos", "Tres"] {
            try renderer.add(ReportSamples.section(name, [TextContent(name), PDFRendererTests.table(rows: 60)]))
        }
        let file = try renderer.finish()
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.temporaryPath)))
        pages = file.rows
    }

    private func read(_ bytes: [UInt8]) throws -> Int {
        try WrittenPDF(path: folder.write(Data(bytes), to: "b.pdf")).pages
    }

    /// Where the contents of streams stand.
    private var streams: [Range<Int>] {
        var found: [Range<Int>] = []
        var rest = bytes[...]
        while let begin = rest.firstRange(of: Array("\nstream\n".utf8)),
            let end = rest[begin.upperBound...].firstRange(of: Array("\nendstream\n".utf8))
        {
            found.append(begin.upperBound..<end.lowerBound)
            rest = rest[end.upperBound...]
        }
        return found
    }

    @Test func pagesAreThoseThatWereDrawn() throws {
        #expect(try read(bytes) == pages && pages > 3)
        let other = try OtherProgram.run("/usr/bin/pdfinfo", [folder.write(Data(bytes), to: "b.pdf")]).text
        #expect(other.contains("Pages:           \(pages)\n"))
    }

    @Test func whatIsCutOffIsNoticed() throws {
        for part in 1..<97 {
            #expect(throws: CountFault.self, "\(part)") { try read(Array(bytes[..<(bytes.count * part / 97)])) }
        }
        #expect(throws: CountFault.self) { try read(Array(bytes.dropLast())) }
    }

    @Test func aHoleInAStreamIsNoticed() throws {
        let compressed = streams.filter { bytes[$0.lowerBound] == 0x78 }
        #expect(compressed.count > pages)
        for stream in compressed {
            var damaged = bytes
            for place in stream.lowerBound + stream.count
                / 2..<min(stream.upperBound, stream.lowerBound + stream.count / 2 + 4)
            { damaged[place] ^= 0x55 }
            #expect(throws: CountFault.self, "\(stream)") { try read(damaged) }
        }
    }

    /// A buffer that was lost on its way, in the middle of the file.
    @Test func aPieceThatIsMissingIsNoticed() throws {
        for part in 1..<20 {
            let place = bytes.count * part / 20
            #expect(throws: CountFault.self) {
                try read(Array(bytes[..<place] + bytes[min(bytes.count, place + 512)...]))
            }
        }
    }
}
