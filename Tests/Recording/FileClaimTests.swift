import Foundation
import Model
import Testing
import Workbench

@testable import Recording

/// Two runs that want to replace one file: the second is refused, and the file is free afterwards.
@Suite struct FileClaimTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("While a file is held nobody else holds it, by whatever name")
    func whoComesSecondIsRefused() throws {
        let path = try folder.write("calicata", to: "a.pdf")
        let other = folder.file("b.pdf")
        try FileManager.default.linkItem(atPath: path, toPath: other)
        let value = try FileClaim.holding(path) {
            for name in [path, other] {
                #expect {
                    try FileClaim.holding(name) { Issue.record("the file is held twice") }
                } throws: {
                    ($0 as? RecordingFailure)?.exitCode == .busy
                }
            }
            return 7
        }
        #expect(value == 7)
        #expect(try FileClaim.holding(other) { 8 } == 8)
    }

    @Test("A body that fails frees the file, and a missing file cannot be held")
    func aFailureFreesTheFile() throws {
        struct Trouble: Error {}
        let path = try folder.write("calicata", to: "a.pdf")
        #expect(throws: Trouble.self) { try FileClaim.holding(path) { throw Trouble() } }
        #expect(try FileClaim.holding(path) { true })
        #expect(throws: RecordingFailure.self) { try FileClaim.holding(folder.file("none.pdf")) {} }
    }
}
