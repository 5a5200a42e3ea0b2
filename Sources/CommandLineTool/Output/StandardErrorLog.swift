import Foundation
import Logging
import Model

/// The log on standard error: one line per event, as text or JSON.
struct StandardErrorLog: LogHandler {
    var format: LogFormat
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    /// A person at a terminal sees results and failures themselves, so only warnings are logged.
    var hasOnlyWarnings = false

    /// - Parameter format: the form that the user asked for; a terminal has no log without it.
    static func logger(_ format: LogFormat?, isQuiet: Bool) -> Logger {
        let isSilent = format == nil && isatty(STDERR_FILENO) == 1
        return Logger(label: "fichero") { _ in
            StandardErrorLog(
                format: format ?? .text, logLevel: isQuiet ? .critical : .info, hasOnlyWarnings: isSilent)
        }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard !hasOnlyWarnings || event.level == .warning else { return }
        let facts = metadata.merging(event.metadata ?? [:]) { _, new in new }.mapValues(\.description)
        let time = Timestamp.format(Date())
        switch format {
        case .text:
            let listed = facts.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            StandardError.write("\(time) \(event.level.rawValue) \(event.message)\(listed)\n")
        case .json:
            let line = Line(time: time, level: event.level.rawValue, message: event.message.description, facts: facts)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if let data = try? encoder.encode(line) {
                StandardError.write(String(decoding: data, as: UTF8.self) + "\n")
            }
        }
    }

    private struct Line: Encodable {
        var time: String
        var level: String
        var message: String
        var facts: [String: String]
    }
}
