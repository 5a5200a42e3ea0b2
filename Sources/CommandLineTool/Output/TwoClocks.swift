import Foundation
import Model

/// The machine's clock when something was written, and the date that its run had where that is
/// another (`--as-of`).
struct TwoClocks {
    let session: CommandSession

    /// A run that lasts states the time at which it began. In seconds.
    private static let longRun = 60.0

    func time(written: String?, stated: String) -> String {
        guard let written, let clock = Timestamp.parse(written) else { return time(stated) }
        guard let date = Timestamp.parse(stated), abs(clock.timeIntervalSince(date)) >= Self.longRun else {
            return time(written)
        }
        return session.text("cli.history.as_of", ["written": time(written), "stated": time(stated)])
    }

    func time(_ stored: String) -> String {
        Timestamp.parse(stored).map { OfficeDay.time(of: $0, in: session.timeZone) } ?? stored
    }
}
