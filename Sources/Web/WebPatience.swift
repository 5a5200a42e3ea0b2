/// How long a server is waited for, how often a request is tried again, and how long between.
package struct WebPatience: Sendable, Hashable {
    /// Seconds within which a connection must stand.
    package var connecting = 10
    /// Seconds within which the server must give a sign of life.
    package var silence = 30
    /// Seconds within which the whole answer must be there; 0: as long as it takes.
    package var whole = 0
    /// How often a request is sent at most.
    package var attempts = 5
    /// Milliseconds before the second attempt. They double from one attempt to the next.
    package var firstPause = 500
    /// The longest pause in milliseconds, also where a server asks for a longer one.
    package var longestPause = 60_000

    package init() {}

    /// Milliseconds to wait after an attempt: what the server asked for, or a time that doubles, of
    /// which chance takes up to a half, so that many do not come back at once.
    ///
    /// - Parameters:
    ///   - attempt: the first is 1.
    ///   - asked: seconds that the server asked for (`Retry-After`).
    func pause(after attempt: Int, asked: Int?) -> Int {
        if let asked { return min(max(0, asked) * 1000, longestPause) }
        let whole = min(firstPause << min(attempt - 1, 16), longestPause)
        return whole - Int.random(in: 0...whole / 2)
    }
}
