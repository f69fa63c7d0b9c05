internal import MeterModel
internal import MeterTestSupport

/// One device in a simulation. What is lost in a crash is marked.
final class DeviceState {
    /// Something to do with the zone.
    enum Work: Hashable {
        case export(ScheduledEvent.Transit)
        case `import`(ScheduledEvent.Transit, page: Int)

        var transit: ScheduledEvent.Transit {
            switch self {
            case .export(let transit), .import(let transit, _): transit
            }
        }

        var isExport: Bool { if case .export = self { true } else { false } }
    }

    /// A request under way, or its answer.
    struct Operation {
        enum Answer {
            case modify(CloudZone.ModifyAnswer)
            case fetch(CloudZone.FetchAnswer)
            /// `zoneNotFound`, `userDeletedZone` and the like.
            /// - Parameters:
            ///   - count: how many resets there have been.
            ///   - newest: the zone's token.
            case zoneReset(ZoneReset, count: Int, newest: Int)
        }

        let number: Int
        let work: Work
        /// Empty for an import.
        let batch: [CloudZone.Item]
        var answer: Answer?
    }

    let identity: AppDevice
    /// Seconds.
    let clockError: Double
    /// How this device's app writes each meter's address.
    let addresses: [String]
    let replica: Replica
    /// Generates ids and record names.
    @exclusivity(unchecked) var random: SeededGenerator
    var hasNetwork = true
    /// Whether the account that it syncs with is there.
    var hasAccount = true
    /// How many resets of the zone it has learned of.
    var knownZoneResets = 0
    var tally = Outcome.Tally()

    // In memory only.

    @exclusivity(unchecked) var lives: [Int: ConnectionStateMachine] = [:]
    @exclusivity(unchecked) var throttle = DiscoveryThrottle<Int>()
    /// One at a time.
    @exclusivity(unchecked) var operation: Operation?
    /// The operations after it, in order; each kind once.
    @exclusivity(unchecked) var waiting: [Work] = []
    /// Before this no request is made. Seconds since the beginning.
    @exclusivity(unchecked) var retryAt = 0.0
    var lastOperation = 0
    /// The most records in an upload. It becomes smaller when CloudKit says that a batch is too large.
    var batchSize = CloudZone.batchSize

    init(
        identity: AppDevice, clockError: Double, addresses: [String], replica: Replica, random: SeededGenerator
    ) {
        self.identity = identity
        self.clockError = clockError
        self.addresses = addresses
        self.replica = replica
        self.random = random
    }

    var canReachCloud: Bool { hasNetwork && hasAccount }

    /// What is under way with the zone, and what would come after it, is given up.
    func stopSync() {
        if let batch = operation?.batch { replica.takeBack(batch) }
        operation = nil
        waiting = []
        retryAt = 0
    }

    /// The app crashed.
    func crash() {
        stopSync()
        batchSize = CloudZone.batchSize
        lives = [:]
        throttle = DiscoveryThrottle()
    }

    /// A random UUID as text (RFC 9562, version 4), as CloudKit's record names are.
    func newRecordName() -> String { FieldValue.blob(newIdentity()).display(as: .uuid) }

    /// Its 16 bytes.
    func newIdentity() -> [UInt8] {
        let words = [random.next(), random.next()]
        var bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }
}
