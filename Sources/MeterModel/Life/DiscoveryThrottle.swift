/// Keeps discoveries from flooding CloudKit: for each meter at most one is written in 120 s.
package struct DiscoveryThrottle<Meter: Hashable & Sendable>: Sendable {
    private var written: [Meter: Timestamp] = [:]

    /// The shortest time between two writes for a meter, in seconds.
    package static var interval: Double { 120 }

    package init() {}

    /// Whether a discovery may be written now. One that may counts as written.
    package mutating func admits(_ meter: Meter, at now: Timestamp) -> Bool {
        // A clock that was set back must not block discoveries until it has caught up.
        if let last = written[meter], (0..<Self.interval).contains(now.seconds(since: last)) { return false }
        written[meter] = now
        return true
    }

    /// Forgets the last write: the meter was disconnected, and the next discovery is new.
    package mutating func reset(_ meter: Meter) { written[meter] = nil }
}
