/// The connection of one device to a meter, from out of range to showing measurements, and its effects on the meter's
/// record: when the app publishes the connection lock, renews it and clears it, and when it records a discovery.
///
/// A lock is published only when the meter's services are known: a device that a connection breaks off from before that
/// never kept others out.
///
/// It has no clock of its own: every event comes with its time.
public struct ConnectionStateMachine: Hashable, Sendable {
    /// The app's operational states, in the order in which a connection passes through them.
    public enum State: Int, Hashable, Comparable, Sendable, CaseIterable {
        /// Its advertisements are not heard.
        case offline
        /// Its advertisements are received.
        case peripheralNotConnected
        case connectionPending
        case connected
        /// Its services and characteristics are known: it is a meter that can be used, and this device holds its lock.
        case ready
        /// A request was sent to it.
        case communicating
        case dataAvailable

        public static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }
    }

    public enum Event: Hashable, Sendable, CaseIterable {
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
    public enum Effect: Hashable, Sendable {
        /// Record that it was seen. (The throttle decides whether that is written.)
        case recordDiscovery
        /// Take the connection lock.
        case publish
        /// Advance the lock's `connectedAt` and expiry.
        case renew
        case clear
    }

    /// An event that cannot happen in the current state.
    public struct IllegalTransition: Error, Hashable, Sendable, CustomStringConvertible {
        package let state: State
        package let event: Event

        public var description: String { "\(event) cannot happen while the meter is \(state)" }
    }

    public private(set) var state = State.offline
    /// When the lock was last published or renewed; nil if this device holds none.
    package private(set) var publishedAt: Timestamp?

    /// Seconds after which a lock is renewed. The lock itself lives twice as long.
    public static let renewalInterval: Double = 60

    public init() {}

    /// Moves to the state that `event` leads to.
    /// - Parameters:
    ///   - event: what has happened.
    ///   - now: the device's clock.
    /// - Returns: the effect on the record; nil for none.
    /// - Throws: `IllegalTransition`; the state is then as it was.
    public mutating func handle(_ event: Event, at now: Timestamp) throws(IllegalTransition) -> Effect? {
        switch (state, event) {
        case (.offline, .heard), (.peripheralNotConnected, .heard):
            state = .peripheralNotConnected
            return .recordDiscovery
        case (.peripheralNotConnected, .connectionRequested):
            state = .connectionPending
            return nil
        case (.connectionPending, .connectionMade):
            state = .connected
        case (.connected, .servicesFound):
            state = .ready
            publishedAt = now
            return .publish
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

/// Keeps discoveries from flooding CloudKit: for each meter at most one is written in 120 s.
package struct DiscoveryThrottle<Meter: Hashable & Sendable>: Sendable {
    private var written: [Meter: Timestamp] = [:]

    /// The shortest time between two writes for a meter, in seconds.
    package static var interval: Double { 120 }

    package init() {}

    /// Whether a discovery may be written now. One that may counts as written.
    package mutating func admits(_ meter: Meter, at now: Timestamp) -> Bool {
        guard !Self.isTooSoon(after: written[meter], at: now) else { return false }
        written[meter] = now
        return true
    }

    /// Whether a discovery waits, by the last one that was written; nil for none.
    package static func isTooSoon(after last: Timestamp?, at now: Timestamp) -> Bool {
        // A clock that was set back must not block discoveries until it has caught up.
        last.map { (0..<interval).contains(now.seconds(since: $0)) } ?? false
    }

    /// Takes note of a write that was made elsewhere.
    package mutating func note(_ meter: Meter, writtenAt time: Timestamp) { written[meter] = time }

    /// Forgets the last write: the meter was disconnected, and the next discovery is new.
    package mutating func reset(_ meter: Meter) { written[meter] = nil }
}

/// A device that runs the app, as it signs connection locks and discoveries.
public struct AppDevice: Hashable, Sendable {
    /// The identifier that the app created on this device.
    public let id: String
    /// What the user calls it: the host name on macOS, the device's own name on iOS.
    public let name: String

    /// - Parameters:
    ///   - id: the identifier that the app created on this device.
    ///   - name: is kept without the white space around it.
    /// - Returns: nil for a name that does not tell a user which device it is: an empty one, a platform ("iPad", which
    ///   older versions wrote for every Mac, too) or a model identifier.
    public init?(id: String, name: String) {
        guard !WhiteSpace.isAll(name) else { return nil }
        switch MachineMadeName(name) {
        case .platform, .modelIdentifier: return nil
        case .hostName, .meterType, .uuid, .noValue, .address, .blank, nil: break
        }
        self.id = id
        self.name = WhiteSpace.trimmed(name)
    }
}
