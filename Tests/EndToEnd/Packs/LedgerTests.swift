import Testing

/// The ledger of the pack format is true: which packs use which keys, and why a key that one pack
/// alone uses is general.
@Suite struct LedgerTests {
    /// If this fails, run `Scripts/make-ledger PROGRAM`.
    @Test func itIsWhatThePacksSay() throws {
        let run = try ProgramRun.program("/usr/bin/python3", ["-B", ProgramRun.root + "/Scripts/make-ledger", ProgramRun.fichero, "--check"])
        #expect(run.status == 0, "\(run.output)\(run.error)")
    }
}
