import Foundation

/// Hands items from the thread that fills them to the thread that empties them.
///
/// A bounded number of items waits, so that memory stays flat. Items are swapped and not copied: whoever gives a full one gets an emptied one
/// back. One thread gives and ends; one takes and stops.
package final class HandOver<Item>: Sendable {
    private let condition = NSCondition()
    // Touched only while the condition is locked.
    nonisolated(unsafe) private var items: [Item]
    nonisolated(unsafe) private var first = 0
    nonisolated(unsafe) private var count = 0
    nonisolated(unsafe) private var isEnded = false
    nonisolated(unsafe) private var isStopped = false
    nonisolated(unsafe) private var failure: (any Error)?

    /// - Parameter items: as many as may wait, empty.
    package init(_ items: [Item]) {
        precondition(!items.isEmpty, "nothing can be handed over")
        unsafe self.items = items
    }

    /// Gives a full item and leaves an emptied one in its place; waits while too many wait. False where no more is wanted.
    package func give(_ item: inout Item) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while unsafe count == items.count, unsafe !isStopped { condition.wait() }
        if unsafe isStopped { return false }
        unsafe swap(&items[(first + count) % items.count], &item)
        unsafe count += 1
        condition.signal()
        return true
    }

    /// Nothing more comes; whoever takes gets the failure after what was given before.
    package func end(_ failure: (any Error)? = nil) {
        condition.lock()
        defer { condition.unlock() }
        unsafe self.failure = failure
        unsafe isEnded = true
        condition.broadcast()
    }

    /// Takes a full item and leaves the emptied one in its place; waits until one is there. False at the end.
    package func take(_ item: inout Item) throws -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while unsafe count == 0, unsafe !isEnded { condition.wait() }
        guard unsafe count > 0 else {
            if let failure = unsafe failure { throw failure }
            return false
        }
        unsafe swap(&items[first], &item)
        unsafe first = (first + 1) % items.count
        unsafe count -= 1
        condition.signal()
        return true
    }

    /// Nothing more is wanted. Returns when the other thread has ended, so that what it worked with is nobody's any more.
    package func stop() {
        condition.lock()
        defer { condition.unlock() }
        unsafe isStopped = true
        condition.broadcast()
        while unsafe !isEnded { condition.wait() }
    }
}
