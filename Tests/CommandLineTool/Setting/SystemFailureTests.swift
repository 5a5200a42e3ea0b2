import Foundation
import Model
import Testing
import Workbench

@testable import CommandLineTool

/// Errors of the system are told with their file and reason, and never as faults of the program.
@Suite struct SystemFailureTests {
    @Test func theSystemsOwnErrorNamesFileAndReason() throws {
        let error = NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC), userInfo: [NSFilePathErrorKey: "/out/a.xlsx"])
        let failure = try #require(SystemFailure(error))
        #expect(failure.code == "SYSTEM-IO")
        #expect(failure.exitCode.rawValue == 74)
        #expect(failure.arguments == ["path": "/out/a.xlsx", "reason": "No space left on device"])
    }

    @Test func foundationsErrorsCarryTheSystemsReason() throws {
        let place = try TemporaryFolder()
        let error = #expect(throws: (any Error).self) { try FileManager.default.contentsOfDirectory(atPath: place.file("nothing")) }
        let failure = try #require(error.flatMap { SystemFailure($0) })
        #expect(failure.arguments["path"] == place.file("nothing"))
        #expect(failure.arguments["reason"] == "No such file or directory")
    }

    @Test func aFileErrorWithoutAReasonIsAnInputOutputError() throws {
        let failure = try #require(SystemFailure(CocoaError(.fileReadUnknown)))
        #expect(failure.arguments == ["path": "—", "reason": "Input/output error"])
    }

    @Test func otherErrorsAreNotTheSystems() {
        struct Other: Error {}
        #expect(SystemFailure(Other()) == nil)
        #expect(SystemFailure(CocoaError(.coderInvalidValue)) == nil)
        #expect(SystemFailure(NSError(domain: "elsewhere", code: 2)) == nil)
    }
}
