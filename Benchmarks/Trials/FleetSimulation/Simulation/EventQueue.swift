/// Future events, by time; of two events at the same time, the one that was added first comes first.
struct EventQueue<Event> {
    private struct Entry {
        let time: Double
        let order: Int
        let event: Event
    }

    /// A binary heap, the next one first.
    private var heap: [Entry] = []
    private var count = 0

    var nextTime: Double? { heap.first?.time }

    mutating func add(_ event: Event, at time: Double) {
        count += 1
        heap.append(Entry(time: time, order: count, event: event))
        var child = heap.count - 1
        while child > 0, Self.isBefore(heap[child], heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeNext() -> (time: Double, event: Event)? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if Self.isBefore(heap[child], heap[least]) { least = child }
            }
            if least == parent { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return (first.time, first.event)
    }

    private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        left.time == right.time ? left.order < right.order : left.time < right.time
    }
}
