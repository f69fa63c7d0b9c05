internal import CoreDataStore
internal import Foundation

/// What a function makes of each element of a list, in the list's order, worked out by several threads.
///
/// A result that is ready waits until those before it are taken, and no thread begins an element so far ahead that more
/// than `depth` results a thread would wait.
final class OrderedResults<Element: Sendable, Result: Sendable>: @unchecked Sendable {
    private let elements: [Element]
    private let transform: @Sendable (Element) -> Result
    /// How many threads work; with none each result is worked out when it is asked for.
    private var threads = 0
    /// Guards what follows, and is signalled when it changes.
    private let condition = NSCondition()
    private var ready: [Int: Result] = [:]
    private var begun = 0
    private var taken = 0
    private var working = 0
    private var isStopped = false

    private static var depth: Int { 16 }

    /// - Parameter threads: how many elements are worked on at a time; with 1 each when it is asked for, by the thread
    ///   that asks.
    init(of elements: [Element], threads: Int, _ transform: @escaping @Sendable (Element) -> Result) {
        self.elements = elements
        self.transform = transform
        let wanted = min(threads, elements.count)
        guard wanted > 1 else { return }
        condition.withLock {
            while self.threads < wanted, Thread.begin({ self.work() }) { self.threads += 1 }
            working = self.threads
        }
    }

    /// How many results were not taken yet.
    var remaining: Int { condition.withLock { elements.count - taken } }

    /// The result of the next element, as soon as it is there; nil after the last one.
    func next() -> Result? {
        condition.lock()
        defer { condition.unlock() }
        guard taken < elements.count else { return nil }
        defer {
            taken += 1
            condition.broadcast()
        }
        guard threads > 0 else { return transform(elements[taken]) }
        while true {
            if let result = ready.removeValue(forKey: taken) { return result }
            condition.wait()
        }
    }

    /// Begins no more elements, and returns when no thread works on one.
    func stop() {
        condition.lock()
        defer { condition.unlock() }
        isStopped = true
        condition.broadcast()
        while working > 0 { condition.wait() }
    }

    private func work() {
        while let index = begin() {
            let result = transform(elements[index])
            condition.withLock {
                ready[index] = result
                condition.broadcast()
            }
        }
        condition.withLock {
            working -= 1
            condition.broadcast()
        }
    }

    /// The next element for a thread that is free; nil where there is none.
    private func begin() -> Int? {
        condition.lock()
        defer { condition.unlock() }
        while !isStopped, begun < elements.count, begun >= taken + threads * Self.depth { condition.wait() }
        guard !isStopped, begun < elements.count else { return nil }
        defer { begun += 1 }
        return begun
    }
}
