import Model
import Testing

@Suite struct FindingFingerprintTests {
    private let finding = Finding(
        code: "FIELD-RANGE", severity: .error, place: Place(table: "calicatas", id: "a1", key: "TPA / C-014", field: "depth_m"),
        arguments: ["value": "45"])

    @Test func isTheSameFromRunToRun() {
        #expect(finding.fingerprint == "fe3c475190cdc1e60d27b829ea876b86")
    }

    @Test func forgetsValuesAndNames() {
        var other = finding
        other.arguments = ["value": "46"]
        other.place.key = "TPA / C-015"
        other.severity = .warning
        #expect(other.fingerprint == finding.fingerprint)
    }

    @Test func tellsPlacesApart() {
        let fields = [nil, "depth_m", "easting"].map { Finding(code: "X", severity: .error, place: Place(table: "t", id: "1", field: $0)) }
        let files = [Place(file: "a", line: 1), Place(file: "a", line: 2), Place(file: "a", column: 1), Place(file: "a1"), Place(file: "a", sheet: "1")]
            .map { Finding(code: "X", severity: .error, place: $0) }
        let all = fields + files + [finding]
        #expect(Set(all.map(\.fingerprint)).count == all.count)
    }

    @Test func partsCannotRunTogether() {
        let first = Finding(code: "X", severity: .error, place: Place(table: "t", id: "1\u{1F}a", field: "b"))
        let second = Finding(code: "X", severity: .error, place: Place(table: "t", id: "1", field: "a\u{1F}b"))
        #expect(first.fingerprint != second.fingerprint)
    }
}
