import Model
import Testing
@testable import Validating

@Suite struct ValidatingErrorTests {
    @Test func everyErrorHasACodeAndAnExitCode() {
        let errors: [ValidatingError] = [.pattern(owner: "a.b", reason: "r"), .unknownName(owner: "R", name: "n"), .bound(rule: "R")]
        #expect(errors.map(\.code) == ["VALIDATION-PATTERN", "VALIDATION-NAME", "VALIDATION-BOUND"])
        #expect(errors.allSatisfy { $0.exitCode == .badConfiguration && !$0.arguments.isEmpty })
    }
}
