import ArgumentParser
import Dispatch
import Foundation
import Synchronization

/// Simulates offices that sync with a central database while things go wrong; `Scripts/simulate-sync`
/// runs it. One line for each run; a run that fails prints its seed, with which it happens again, and
/// what it knows of the rows concerned.
@main struct Simulation: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "simulate-sync", abstract: "Simulate syncs while things go wrong.")

    @Option(help: "Steps in all; each is a change here or there, a sync, or trouble.")
    var steps = 21_000

    @Option(help: "The first seed.")
    var seed: UInt64 = 20_261_123

    @Option(help: "How many seeds for each kind of trouble.")
    var seeds = 3

    @Option(help: "One kind of trouble instead of all: none, cut, lostAnswer, halfDone, kill, meanwhile, lateCommit, membership, clock, all.")
    var fault: Fault?

    @Flag(help: "The server is somebody else's: it does not tell exactly what changed.")
    var foreign = false

    /// So many steps lie between two quiet times.
    private static let calmEvery = 350

    func run() throws {
        let faults = fault.map { [$0] } ?? Fault.allCases
        let runs = faults.flatMap { fault in (0..<UInt64(seeds)).map { (fault, seed + $0) } }
        let each = max(1, (steps + runs.count - 1) / runs.count)
        let failed = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: runs.count) { index in
            let (fault, seed) = runs[index]
            if !run(fault, seed, each) { failed.withLock { $0 += 1 } }
        }
        let failures = failed.withLock { $0 }
        print("\(runs.count) runs of \(each) steps, \(failures) failed")
        if failures > 0 { throw ExitCode.failure }
    }

    private func run(_ fault: Fault, _ seed: UInt64, _ steps: Int) -> Bool {
        var text = "\(fault.rawValue) \(seed): \(steps) steps"
        defer { print(text) }
        do {
            let simulation = try SyncSimulation(fault, seed: seed, isForeign: foreign)
            defer { text += ", " + simulation.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") }
            do {
                try simulation.run(steps: steps, calmEvery: Self.calmEvery)
                return true
            } catch {
                text = "FAILED \(text): \(error)\n\(simulation.facts(of: "\(error)"))\n\(simulation.server.trail(of: "\(error)"))\n"
            }
        } catch { text = "FAILED \(text): \(error)" }
        return false
    }
}

extension Fault: ExpressibleByArgument {}
