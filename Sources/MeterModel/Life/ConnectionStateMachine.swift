/// A meter as one device sees it, from out of reach to showing its measurements, and what the app owes the meter's
/// record on the way: when it publishes the connection lock, renews it and clears it, and when it notes a discovery.
///
/// A value without a clock of its own: every event comes with its time.
package struct ConnectionStateMachine: Hashable, Sendable {
    /// The app's operational states, in the order in which they are gone through.
    package enum State: Int, Hashable, Comparable, Sendable, CaseIterable {
        /// Not heard of.
        case offline
        /// Its advertisements are heard.
        case peripheralNotConnected
        case connectionPending
        case connected
        /// Its services and characteristics are known.
        case ready
        /// A request was sent to it.
        case communicating
        case dataAvailable

        package static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }
    }

    package enum Event: Hashable, Sendable, CaseIterable {
        /// An advertisement was heard.
        case heard
        case connectionRequested
        case connectionMade
        case servicesFound
        case requestSent
        case answerReceived
        /// Time has passed.
        case tick
        /// The connection broke, was refused, or was closed by the user; the meter can still be heard.
        case disconnected
        /// Nothing is heard of it any more, or Bluetooth was turned off.
        case lost
    }

    /// What the app then does to the meter's record.
    package enum Effect: Hashable, Sendable {
        /// Note that it was seen. (The throttle decides whether that is written.)
        case recordDiscovery
        /// Take the connection lock.
        case publish
        /// Move the lock's `connectedAt` and expiry.
        case renew
        case clear
    }

    /// An event that cannot happen in the state the meter is in.
    package struct IllegalTransition: Error, Hashable, Sendable, CustomStringConvertible {
        package let state: State
        package let event: Event

        package var description: String { "\(event) cannot happen while the meter is \(state)" }
    }

    package private(set) var state = State.offline
    /// When the lock was published or renewed last; nil where this device holds none.
    package private(set) var publishedAt: Timestamp?

    /// Seconds after which a lock is renewed. The lock itself lives twice as long.
    package static let renewalInterval: Double = 60

    package init() {}

    /// Goes where `event` leads.
    /// - Returns: what the app owes the record now; nil for nothing.
    /// - Throws: `IllegalTransition`; the state is then as it was.
    package mutating func handle(_ event: Event, at now: Timestamp) throws(IllegalTransition) -> Effect? {
        switch (state, event) {
        case (.offline, .heard), (.peripheralNotConnected, .heard):
            state = .peripheralNotConnected
            return .recordDiscovery
        case (.peripheralNotConnected, .connectionRequested):
            state = .connectionPending
            return nil
        case (.connectionPending, .connectionMade):
            state = .connected
            publishedAt = now
            return .publish
        case (.connected, .servicesFound):
            state = .ready
        case (.ready, .requestSent), (.dataAvailable, .requestSent):
            state = .communicating
        case (.communicating, .answerReceived):
            state = .dataAvailable
        case (_, .tick):
            break
        case (.connectionPending..., .disconnected):
            return leave(to: .peripheralNotConnected)
        case (.peripheralNotConnected..., .lost):
            return leave(to: .offline)
        default:
            throw IllegalTransition(state: state, event: event)
        }
        return renewal(at: now)
    }

    /// Every event of a connection is an opportunity to renew.
    private mutating func renewal(at now: Timestamp) -> Effect? {
        // A clock that was set back must not keep the lock from being renewed.
        guard let last = publishedAt, !(0..<Self.renewalInterval).contains(now.seconds(since: last)) else { return nil }
        publishedAt = now
        return .renew
    }

    private mutating func leave(to next: State) -> Effect? {
        state = next
        defer { publishedAt = nil }
        return publishedAt == nil ? nil : .clear
    }
}
