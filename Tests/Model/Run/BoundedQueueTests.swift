import Foundation
import Model
import Synchronization
import Testing

/// The queue between two threads: its order, its bounds, and what each side learns when the other
/// one ends.
@Suite struct BoundedQueueTests {
    struct Full: Error, Equatable {}
    struct Broken: Error, Equatable {}

    private func start(_ body: @escaping @Sendable () -> Void) {
        Thread { body() }.start()
    }

    /// Takes items on its own thread and stores them. It fails at a given item.
    private final class Taker: Sendable {
        let queue: BoundedQueue<Int>
        let taken = Mutex<[Int]>([])
        init(_ depth: Int) { queue = BoundedQueue([Int](repeating: 0, count: depth)) }

        func run(failingAt last: Int? = nil) {
            do {
                var item = 0
                while try queue.take(&item) {
                    if item == last { throw Full() }
                    taken.withLock { $0.append(item) }
                }
            } catch {
                queue.fail(error)
            }
        }
    }

    @Test(arguments: [1, 2, 7]) func everythingComesInOrder(_ depth: Int) throws {
        let taker = Taker(depth)
        start { taker.run() }
        for number in 1...500 {
            var item = number
            #expect(try taker.queue.give(&item))
        }
        try taker.queue.drain()
        #expect(taker.taken.withLock { $0 } == Array(1...500))
        // `drain` does not end the queue.
        var item = 501
        #expect(try taker.queue.give(&item))
        taker.queue.end()
        try taker.queue.drain()
        #expect(taker.taken.withLock { $0.last } == 501)
    }

    @Test func itemsAreSwappedAndUsedAgain() throws {
        final class Box { var number: Int? }
        let queue = BoundedQueue([Box(), Box()])
        var own = Box(), seen: Set<ObjectIdentifier> = []
        for number in 0..<20 {
            own.number = number
            seen.insert(ObjectIdentifier(own))
            #expect(try queue.give(&own))
            #expect(own.number == nil)
            var taken = Box()
            #expect(try queue.take(&taken))
            #expect(taken.number == number)
            taken.number = nil
        }
        #expect(seen.count > 1)
    }

    /// If the taker fails, a giver that waits for room is woken. It gets the error each time it
    /// gives.
    @Test(arguments: [1, 4]) func theGiverGetsWhatTheTakerFailedWith(_ depth: Int) throws {
        let taker = Taker(depth)
        start { taker.run(failingAt: 10) }
        #expect(throws: Full.self) {
            for number in 1...1000 {
                var item = number
                guard try taker.queue.give(&item) else { return }
            }
        }
        #expect(throws: Full.self) { try taker.queue.drain() }
        #expect(taker.taken.withLock { $0 } == Array(1..<10))
        // The taker is gone, so `cancel` waits for nobody.
        taker.queue.cancel()
    }

    @Test func theTakerGetsWhatTheGiverEndedWithAfterWhatWasGiven() throws {
        let queue = BoundedQueue([0, 0, 0])
        start {
            for number in 1...5 {
                var item = number
                _ = try? queue.give(&item)
            }
            queue.end(Broken())
        }
        var item = 0, taken: [Int] = []
        #expect(throws: Broken.self) { while try queue.take(&item) { taken.append(item) } }
        #expect(taken == [1, 2, 3, 4, 5])
        queue.stop()
    }

    /// If the taker stops, a waiting giver learns this. `stop` returns when the giver has ended.
    @Test func aTakerThatStopsWaitsForTheGiver() throws {
        let queue = BoundedQueue([0])
        let hasEnded = Mutex(false)
        start {
            var item = 1
            while (try? queue.give(&item)) == true {}
            hasEnded.withLock { $0 = true }
            queue.end()
        }
        var item = 0
        #expect(try queue.take(&item))
        queue.stop()
        #expect(hasEnded.withLock { $0 })
    }

    /// Waiting items are dropped. The taker finishes the item that it has.
    @Test func nothingIsInHandWhenCancelReturns() throws {
        let queue = BoundedQueue([Int](repeating: 0, count: 100))
        let hand = Mutex((begun: 0, done: 0))
        let begun = DispatchSemaphore(value: 0)
        start {
            var item = 0
            while (try? queue.take(&item)) == true {
                hand.withLock { $0.begun += 1 }
                begun.signal()
                hand.withLock { $0.done += 1 }
            }
        }
        for number in 1...100 {
            var item = number
            #expect(try queue.give(&item))
        }
        begun.wait()
        queue.cancel()
        let after = hand.withLock { $0 }
        #expect(after.begun == after.done && after.done >= 1)
        var item = 0
        #expect(try !queue.take(&item))
    }
}
