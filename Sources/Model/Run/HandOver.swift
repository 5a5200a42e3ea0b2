import Foundation

/// Hands items from the thread that fills them to the thread that empties them: the one queue between threads.
///
/// A bounded number of items waits, so that memory stays flat. Items are swapped and not copied: whoever gives a full one gets an emptied one
/// back. One thread gives and ends, one takes and stops. Each learns what the other failed with, and neither waits for one that is gone.
package final class HandOver<Item>: Sendable {
    private let condition = NSCondition()
    // Touched only while the condition is locked.
    nonisolated(unsafe) private var items: [Item]
    nonisolated(unsafe) private var first = 0
    nonisolated(unsafe) private var count = 0
    nonisolated(unsafe) private var isEnded = false
    nonisolated(unsafe) private var isStopped = false
    /// Whether the taker is done with all that it took, and waits or has gone.
    nonisolated(unsafe) private var isIdle = false
    nonisolated(unsafe) private var giversFailure: (any Error)?
    nonisolated(unsafe) private var takersFailure: (any Error)?

    /// - Parameter items: as many as may wait, empty.
    package init(_ items: [Item]) {
        precondition(!items.isEmpty, "nothing can be handed over")
        unsafe self.items = items
    }

    // MARK: Giving

    /// Gives a full item and leaves an emptied one in its place; waits while too many wait. False where no more is wanted; throws what the
    /// taker failed with.
    package func give(_ item: inout Item) throws -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while unsafe count == items.count, unsafe !isStopped { condition.wait() }
        if let takersFailure = unsafe takersFailure { throw takersFailure }
        if unsafe isStopped { return false }
        unsafe swap(&items[(first + count) % items.count], &item)
        unsafe count += 1
        condition.signal()
        return true
    }

    /// Waits until the taker is done with all that was given, and throws what it failed with. Until the next item is given, what the taker works
    /// with is nobody's.
    package func settle() throws {
        condition.lock()
        defer { condition.unlock() }
        while unsafe count > 0 || !isIdle, unsafe !isStopped { condition.wait() }
        if let takersFailure = unsafe takersFailure { throw takersFailure }
    }

    /// Nothing more comes; whoever takes gets the failure after what was given before.
    package func end(_ failure: (any Error)? = nil) {
        condition.lock()
        defer { condition.unlock() }
        unsafe giversFailure = failure
        unsafe isEnded = true
        condition.broadcast()
    }

    /// Nothing more comes, and what waits is not wanted. Returns when the taker is done with what it has, so that what it worked with is nobody's
    /// any more.
    package func cancel() {
        condition.lock()
        defer { condition.unlock() }
        unsafe count = 0
        unsafe isEnded = true
        condition.broadcast()
        while unsafe !isIdle, unsafe !isStopped { condition.wait() }
    }

    // MARK: Taking

    /// Takes a full item and leaves the emptied one in its place; waits until one is there. False at the end; throws what the giver ended with.
    package func take(_ item: inout Item) throws -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if unsafe count == 0 {
            unsafe isIdle = true
            condition.signal()
        }
        while unsafe count == 0, unsafe !isEnded { condition.wait() }
        guard unsafe count > 0 else {
            if let giversFailure = unsafe giversFailure { throw giversFailure }
            return false
        }
        unsafe isIdle = false
        unsafe swap(&items[first], &item)
        unsafe first = (first + 1) % items.count
        unsafe count -= 1
        condition.signal()
        return true
    }

    /// What was taken cannot be worked with: whoever gives or settles gets the failure, and what waits is not taken.
    package func fail(_ failure: any Error) {
        condition.lock()
        defer { condition.unlock() }
        unsafe takersFailure = failure
        unsafe isStopped = true
        condition.broadcast()
    }

    /// Nothing more is wanted. Returns when the giver has ended, so that what it worked with is nobody's any more.
    package func stop() {
        condition.lock()
        defer { condition.unlock() }
        unsafe isStopped = true
        condition.broadcast()
        while unsafe !isEnded { condition.wait() }
    }
}
