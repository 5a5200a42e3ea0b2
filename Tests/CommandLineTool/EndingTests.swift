import ArgumentParser
import Foundation
import Model
import Testing
import Workbench

@testable import CommandLineTool

/// A process ends in a defined way, also for an error that no code declared as a failure.
@Suite struct EndingTests {
    private struct Unforeseen: Error {}

    @Test func whatNobodyForesawIsAnInternalError() {
        #expect(Fichero.ending(of: Unforeseen()) == .internalError)
        #expect(Fichero.ending(of: CocoaError(.fileReadUnknown)) == .internalError)
        let failure = InternalFailure(CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: "/home/maria/secret"]))
        #expect(failure.exitCode.rawValue == 70)
        #expect(failure.code == "INTERNAL")
        #expect(failure.reason.contains("256"))
        #expect(!failure.reason.contains("secret"))
    }

    @Test func usageAndHelpAreTheParsers() throws {
        for (arguments, code) in [(["--help"], Model.ExitCode.done), (["no-such-command"], .usage), (["export"], .usage), (["validate", "--limit", "x"], .usage)] {
            let error = #expect(throws: (any Error).self) {
                var command = try Fichero.parseAsRoot(arguments)
                try command.run()
            }
            #expect(Fichero.ending(of: try #require(error)) == code, "\(arguments)")
        }
    }

    @Test(arguments: Language.allCases) func anInternalErrorHasItsWords(language: Language) {
        let root = ProjectFolder.root.path
        let texts = EarlyWords(EarlySetting(["--templates", root + "/Templates"])).texts
        let text = FailureText(InternalFailure(Unforeseen()), texts: texts, language: language).text
        #expect(text.hasPrefix("error: INTERNAL\n"))
        #expect(text.contains("Unforeseen"))
        #expect(text.contains("→"))
    }
}
