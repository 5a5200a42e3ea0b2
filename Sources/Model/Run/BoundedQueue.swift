import Foundation

/// Passes items from the thread that fills them to the thread that empties them. The program has no
/// other queue between threads.
///
/// A bounded number of items waits, which bounds memory. Items are swapped, not copied: the
/// producer exchanges a full item for an emptied one. The producer calls `give` and `end`, the
/// consumer `take` and `stop`. Each gets the other's error, and neither waits for an ended thread.
package final class BoundedQueue<Item>: Sendable {
    private let condition = NSCondition()
    // Accessed only while the condition is locked.
    nonisolated(unsafe) private var items: [Item]
    nonisolated(unsafe) private var first = 0
    nonisolated(unsafe) private var count = 0
    nonisolated(unsafe) private var isEnded = false
    nonisolated(unsafe) private var isStopped = false
    /// Whether the consumer has finished every item that it received, and waits or has ended.
    nonisolated(unsafe) private var isIdle = false
    nonisolated(unsafe) private var giversFailure: (any Error)?
    nonisolated(unsafe) private var takersFailure: (any Error)?

    /// - Parameter items: empty items, as many as may wait.
    package init(_ items: [Item]) {
        precondition(!items.isEmpty, "nothing can be handed over")
        unsafe self.items = items
    }

    // MARK: Giving

    /// Passes a full item and replaces it by an emptied one. Waits while the queue is full. Returns
    /// false if the consumer has stopped; throws the consumer's error.
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

    /// Waits until the consumer has finished every item, and throws its error. Until the next item
    /// is passed, the consumer's data may be used.
    package func drain() throws {
        condition.lock()
        defer { condition.unlock() }
        while unsafe count > 0 || !isIdle, unsafe !isStopped { condition.wait() }
        if let takersFailure = unsafe takersFailure { throw takersFailure }
    }

    /// Ends the queue. The consumer gets the error after the items that were passed before.
    package func end(_ failure: (any Error)? = nil) {
        condition.lock()
        defer { condition.unlock() }
        unsafe giversFailure = failure
        unsafe isEnded = true
        condition.broadcast()
    }

    /// Ends the queue and drops the waiting items. Returns when the consumer has finished its
    /// current item, so that the consumer's data may then be used.
    package func cancel() {
        condition.lock()
        defer { condition.unlock() }
        unsafe count = 0
        unsafe isEnded = true
        condition.broadcast()
        while unsafe !isIdle, unsafe !isStopped { condition.wait() }
    }

    // MARK: Taking

    /// Receives a full item and leaves the emptied one in its place. Waits until there is one.
    /// Returns false at the end; throws the producer's error.
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

    /// Passes on an error of the consumer. `give` and `drain` throw it, and waiting items are
    /// dropped.
    package func fail(_ failure: any Error) {
        condition.lock()
        defer { condition.unlock() }
        unsafe takersFailure = failure
        unsafe isStopped = true
        condition.broadcast()
    }

    /// Ends the receiving. Returns when the producer has ended, so that the producer's data may
    /// then be used.
    package func stop() {
        condition.lock()
        defer { condition.unlock() }
        unsafe isStopped = true
        condition.broadcast()
        while unsafe !isEnded { condition.wait() }
    }
}
