import Foundation
import Model

/// Converts instants of events to milliseconds and to the replica's texts.
enum EventTime {
    static func milliseconds(_ text: String?) -> UInt64? {
        guard let text, let date = Timestamp.parse(text), date.timeIntervalSince1970 > 0 else { return nil }
        return UInt64((date.timeIntervalSince1970 * 1000).rounded())
    }

    static func text(_ milliseconds: UInt64) -> String {
        Timestamp.format(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
