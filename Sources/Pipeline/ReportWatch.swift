import Blocks
package import Foundation
package import Model

/// Renders a report again whenever one of its files was saved. It ends at a signal, or at an error
/// that no save can correct. A mistake in a template is reported, and the next save is tried.
package struct ReportWatch {
    /// Renders once, from the present files, and shows the findings.
    package let round: () throws -> Void
    package let files: () -> TemplateFiles
    package let tell: (any Failure) -> Void
    /// Waits for a moment. Throws `RunStopped` after a signal, and when nothing can be shown any more.
    package let rest: () throws -> Void

    package init(
        round: @escaping () throws -> Void, files: @escaping () -> TemplateFiles,
        tell: @escaping (any Failure) -> Void, rest: @escaping () throws -> Void
    ) {
        (self.round, self.files, self.tell, self.rest) = (round, files, tell, rest)
    }

    package func run() throws -> Never {
        while true {
            // The state is recorded before the files are read, so that a save during a round causes
            // another round.
            let read = files()
            do { try round() } catch {
                let error = Interruption.answering(error)
                guard let failure = error as? any Failure, Self.canBeMended(failure) else { throw error }
                tell(failure)
            }
            try waitForSave(after: read)
        }
    }

    private static func canBeMended(_ failure: any Failure) -> Bool {
        !(failure is RunStopped) && (failure is ReportFailure || [.badConfiguration, .busy].contains(failure.exitCode))
    }

    /// Returns when a file was saved and nothing more was saved for a moment, as an editor may
    /// write a file in parts.
    private func waitForSave(after read: TemplateFiles) throws {
        var last = read
        while true {
            try rest()
            let now = files()
            if now != read, now == last { return }
            last = now
        }
    }
}

/// Syncs repeatedly, until a signal or a permanent error. An unavailable server, or another run
/// that has locked the replica, is reported and retried in the next round.
package struct SyncWatch {
    /// Connects, syncs once and reports the result. Lock and connection are released afterwards.
    package let round: () throws -> Void
    /// Reports the reason why a round failed.
    package let tell: (any Failure) -> Void
    /// Waits for the next round. Throws `RunStopped` after a signal, and when nothing can be shown
    /// any more.
    package let rest: () throws -> Void

    package init(
        round: @escaping () throws -> Void, tell: @escaping (any Failure) -> Void,
        rest: @escaping () throws -> Void
    ) {
        (self.round, self.tell, self.rest) = (round, tell, rest)
    }

    package func run() throws -> Never {
        while true {
            do { try round() } catch {
                let error = Interruption.answering(error)
                guard let failure = error as? any Failure, Self.passes(failure) else { throw error }
                tell(failure)
            }
            try rest()
        }
    }

    private static func passes(_ failure: any Failure) -> Bool {
        !(failure is RunStopped) && [.unavailable, .busy].contains(failure.exitCode)
    }
}

/// The state on disk of a report's files: those of its pack and of the core, and the firm's design
/// file with its pictures. Two values differ if anything was saved in between.
package struct TemplateFiles: Equatable {
    /// Size, time and file number (inode) of each file: an editor that replaces the file by a new
    /// one changes the number.
    private var stamps: [String: [String]] = [:]

    /// Endings of files that are not templates: documents, and files of editors.
    private static let others: Set<String> = ["pdf", "xlsx", "zip", "swp", "tmp", "bak"]

    /// - Parameters:
    ///   - folders: folders that are included with all their content.
    ///   - brand: the file with the firm's design; its pictures are beside it.
    package init(_ folders: [URL], brand: String?) {
        for folder in folders {
            for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
                add(folder.path + "/" + name)
            }
        }
        guard let brand else { return }
        let folder = URL(fileURLWithPath: brand).deletingLastPathComponent().path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let ending = (name as NSString).pathExtension.lowercased()
            if folder + "/" + name == brand || ["png", "jpg", "jpeg"].contains(ending) { add(folder + "/" + name) }
        }
    }

    private mutating func add(_ path: String) {
        let name = (path as NSString).lastPathComponent
        guard !name.hasPrefix("."), !name.hasSuffix("~"),
            !Self.others.contains((name as NSString).pathExtension.lowercased()),
            let facts = try? FileManager.default.attributesOfItem(atPath: path),
            facts[.type] as? FileAttributeType != .typeDirectory
        else { return }
        let saved = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
        stamps[path] = [facts[.size], saved, facts[.systemFileNumber]].map { "\($0 ?? "")" }
    }
}
