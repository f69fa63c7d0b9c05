/// The connection of one device to a meter, from out of range to showing measurements, and its effects on the meter's
/// record: when the app publishes the connection lock, renews it and clears it, and when it records a discovery.
///
/// It has no clock of its own: every event comes with its time.
package struct ConnectionStateMachine: Hashable, Sendable {
    /// The app's operational states, in the order in which a connection passes through them.
    package enum State: Int, Hashable, Comparable, Sendable, CaseIterable {
        /// Its advertisements are not heard.
        case offline
        /// Its advertisements are received.
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
        /// The connection was lost, refused, or closed by the user; the meter is still in range.
        case disconnected
        /// The meter is out of range, or Bluetooth was turned off.
        case lost
    }

    /// What the app then writes to the meter's record.
    package enum Effect: Hashable, Sendable {
        /// Record that it was seen. (The throttle decides whether that is written.)
        case recordDiscovery
        /// Take the connection lock.
        case publish
        /// Advance the lock's `connectedAt` and expiry.
        case renew
        case clear
    }

    /// An event that cannot happen in the current state.
    package struct IllegalTransition: Error, Hashable, Sendable, CustomStringConvertible {
        package let state: State
        package let event: Event

        package var description: String { "\(event) cannot happen while the meter is \(state)" }
    }

    package private(set) var state = State.offline
    /// When the lock was last published or renewed; nil if this device holds none.
    package private(set) var publishedAt: Timestamp?

    /// Seconds after which a lock is renewed. The lock itself lives twice as long.
    package static let renewalInterval: Double = 60

    package init() {}

    /// Moves to the state that `event` leads to.
    /// - Returns: the effect on the record; nil for none.
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
