import Model
import Testing

@Suite struct FindingThresholdsTests {
    private func code(_ thresholds: FindingThresholds, errors: Int = 0, warnings: Int = 0, notes: Int = 0) -> ExitCode {
        thresholds.exitCode(for: [("E", .error, errors), ("W", .warning, warnings), ("N", .note, notes)])
    }

    @Test func failOnSaysFromWhichSeverity() {
        #expect(code(FindingThresholds(), errors: 1) == .findings)
        #expect(code(FindingThresholds(), warnings: 9, notes: 9) == .done)
        #expect(code(FindingThresholds(failOn: .warning), warnings: 1) == .findings)
        #expect(code(FindingThresholds(failOn: .warning), errors: 1) == .findings)
        #expect(code(FindingThresholds(failOn: .warning), notes: 1) == .done)
        #expect(code(FindingThresholds(failOn: .never), errors: 9, warnings: 9) == .done)
    }

    @Test func aNumberOfErrorsIsBorne() {
        #expect(code(FindingThresholds(maximumErrors: 2), errors: 2) == .done)
        #expect(code(FindingThresholds(maximumErrors: 2), errors: 3) == .findings)
        #expect(code(FindingThresholds(failOn: .never, maximumErrors: 2), errors: 3) == .findings)
        #expect(code(FindingThresholds(failOn: .warning, maximumErrors: 2), errors: 2, warnings: 1) == .findings)
    }

    @Test func aCodeWithItsOwnNumberIsJudgedByItAlone() {
        #expect(code(FindingThresholds(allowed: ["E": 5]), errors: 5) == .done)
        #expect(code(FindingThresholds(allowed: ["E": 5]), errors: 6) == .findings)
        #expect(code(FindingThresholds(failOn: .never, allowed: ["N": 0]), notes: 1) == .findings)
        #expect(code(FindingThresholds(failOn: .warning, allowed: ["W": 3]), warnings: 3) == .done)
        #expect(code(FindingThresholds(allowed: ["X": 0]), errors: 1) == .findings)
    }
}
