import Testing

@testable import Model

/// A delivery continues the earlier deliveries of its own line.
@Suite struct LineOfDeliveryTests {
    private func job(_ occurrence: Int = 0, _ selection: SelectionRequest = SelectionRequest(), namesFiles: Bool = false) -> DeliveryLine {
        .job("monthly", occurrence: occurrence, selection: selection, namesFiles: namesFiles)
    }

    @Test func aJobIsALineAndEachOfItsTwinStepsOneOfItsOwn() {
        #expect(job().name == "job:monthly" && job().label == "monthly" && job().series == nil)
        #expect(job(1).name == "job:monthly 2" && job(1).label == "monthly-2")
        #expect(job(namesFiles: true).label.isEmpty && job(2, namesFiles: true).label == "3")
        #expect(job(namesFiles: true).name == job().name, "names of files change no line")
    }

    @Test func aPeriodIsALineThatGoesOnFromTheOneBefore() {
        var october = SelectionRequest()
        october.period = "2026-10"
        #expect(job(0, october).name == "job:monthly 2026-10" && job(0, october).series == "job:monthly")
        // Each of these deliveries has only the records of its month, so the next month misses none
        // of them.
        october.from = "2026-10-01"
        october.to = "2026-10-31"
        #expect(job(0, october).name == "job:monthly 2026-10" && job(0, october).series == nil)
    }

    @Test func daysAreALineButEverythingUpToADayIsNone() {
        #expect(job(0, SelectionRequest(from: "2026-01-01", to: "2026-01-31")).name == "job:monthly 2026-01-01/2026-01-31")
        #expect(job(0, SelectionRequest(from: "2026-01-01")).name == "job:monthly 2026-01-01/")
        #expect(job(0, SelectionRequest(to: "2026-01-31")).name == job().name)
    }

    @Test func aSelectionIsTheSameInWhateverOrderAndProject() {
        let one = SelectionRequest(projects: ["A"], states: ["B", "A"], syncStates: [.synced, .error])
        let other = SelectionRequest(projects: ["Z"], states: ["A", "B"], syncStates: [.error, .synced])
        #expect(DeliveryLine.selection(one) == .selection(other))
        #expect(DeliveryLine.selection(one).name == "selection:state=A,B;sync=error,synced")
        #expect(DeliveryLine.selection(one).label == "A-B-error-synced")
    }

    @Test func filtersDifferByEightDigitsAndRecordsByTheirCodes() {
        let deep = DeliveryLine.selection(SelectionRequest(filter: "depth_m > 1"))
        let deeper = DeliveryLine.selection(SelectionRequest(filter: "depth_m > 2"))
        #expect(deep.label.count == 8 && deep.label != deeper.label && deep.name != deeper.name)
        // The FNV-1a hash of an empty text is its offset basis.
        #expect(DeliveryLine.selection(SelectionRequest(filter: "")).label == "811c9dc5")
        #expect(DeliveryLine.selection(SelectionRequest(filter: "code in ('C-2', 'C-1')"), records: ["C-2", "C-1"]).label == "C-1-C-2")
    }

    @Test func whatAnOlderProgramRegisteredHasItsLine() {
        let request = SelectionRequest(states: ["APROBADO"])
        #expect(DeliveryLine.former(job: "monthly", selection: request).name == job(0, request).name)
        #expect(DeliveryLine.former(job: nil, selection: request) == .selection(request))
        #expect(DeliveryLine.named("bridge").name == "line:bridge" && DeliveryLine.named("bridge").label == "bridge")
    }
}
