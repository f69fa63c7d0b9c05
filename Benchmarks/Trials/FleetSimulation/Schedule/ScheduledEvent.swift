package import MeterModel

/// Something that happens to a device at a set time. A schedule contains everything that depends on chance; the
/// simulation itself produces what follows from it, such as heartbeats, answers and retries.
package struct ScheduledEvent: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// An advertisement of the meter is heard.
        case hear(meter: Int)
        /// The user connects to the meter.
        case connect(meter: Int)
        case disconnect(meter: Int)
        /// The user types a name.
        case rename(meter: Int, String)
        case chooseUnit(meter: Int, TemperatureUnit)
        /// Uploads what is waiting.
        case export(Transit)
        /// Fetches what has changed in the zone, at most `page` records at once.
        case `import`(Transit, page: Int)
        /// The app crashes: locks stay, and answers under way are lost.
        case crash
        case cutNetwork
        /// The device uploads at once what is waiting.
        case restoreNetwork(Transit)
        /// The zone answers the next request with *retry after … seconds*.
        case throttle(seconds: Double)
        /// From now on the zone refuses batches of more records than that as too large.
        case limitBatches(records: Int)
        /// The user's account is full, for all devices.
        case fillQuota
        case relieveQuota
        /// There is no iCloud account on the device, or it is not available for now. The mirror waits for it.
        case signOut
        /// The same account is there again. The device uploads at once what is waiting.
        case signIn(Transit)
        /// Everything in the zone is gone, for all devices.
        case resetZone(ZoneReset)
        /// The device's mirror starts over: it fetches everything again, and then uploads.
        case resetMirror(MirrorReset, Transit)
        /// The app is updated, and knows all fields.
        case upgrade
        case repair
        /// All devices rest, with meters disconnected and networks on, until nothing is left to upload or to fetch
        /// anywhere.
        case settle
        /// All devices have a network and room in the account until nothing is left to upload or to fetch anywhere; they
        /// stay in use.
        case catchUp
    }

    /// Seconds that a request and its answer take.
    package struct Transit: Hashable, Sendable {
        package let up: Double
        package let down: Double

        package init(up: Double, down: Double) {
            self.up = up
            self.down = down
        }
    }

    /// Seconds since the beginning, without the time that settling takes.
    package var time: Double
    /// The device's number; meaningless for what happens to all.
    package var device: Int
    package var action: Action

    package init(_ time: Double, device: Int, _ action: Action) {
        self.time = time
        self.device = device
        self.action = action
    }

    /// Whether the user types or chooses something.
    package var isTyping: Bool {
        switch action {
        case .rename, .chooseUnit: true
        case .hear, .connect, .disconnect, .export, .import, .crash, .cutNetwork, .restoreNetwork, .throttle,
            .limitBatches, .fillQuota, .relieveQuota, .signOut, .signIn, .resetZone, .resetMirror, .upgrade, .repair,
            .settle, .catchUp:
            false
        }
    }

    /// Whether it happens to all devices.
    package var concernsAll: Bool {
        switch action {
        case .limitBatches, .fillQuota, .relieveQuota, .resetZone, .settle, .catchUp: true
        case .hear, .connect, .disconnect, .rename, .chooseUnit, .export, .import, .crash, .cutNetwork, .restoreNetwork,
            .throttle, .signOut, .signIn, .resetMirror, .upgrade, .repair:
            false
        }
    }

    /// The meter it is about.
    package var meter: Int? {
        switch action {
        case .hear(let meter), .connect(let meter), .disconnect(let meter), .rename(let meter, _),
            .chooseUnit(let meter, _):
            meter
        default: nil
        }
    }
}

extension [ScheduledEvent] {
    /// By time; events at the same time stay as they are.
    package var inOrderOfTime: [ScheduledEvent] {
        enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }
}

extension ScheduledEvent {
    /// The event in words.
    func text(_ meters: [Fleet.Meter]) -> String {
        func name(_ meter: Int) -> String { meters[meter].address.text(in: .upper) }
        switch action {
        case .hear(let meter): return "hears \(name(meter))"
        case .connect(let meter): return "connects to \(name(meter))"
        case .disconnect(let meter): return "disconnects from \(name(meter))"
        case .rename(let meter, let text): return "names \(name(meter)) \"\(text)\""
        case .chooseUnit(let meter, let unit): return "chooses \(unit.rawValue) for \(name(meter))"
        case .export: return "begins to upload"
        case .import: return "begins to fetch"
        case .crash: return "the app crashes"
        case .cutNetwork: return "loses the network"
        case .restoreNetwork: return "is back on the network"
        case .throttle(let seconds): return "will be told to retry after \(Int(seconds)) s"
        case .limitBatches(let records): return "CloudKit takes \(records) records at once"
        case .fillQuota: return "the account is full"
        case .relieveQuota: return "the account has room again"
        case .signOut: return "has no iCloud account"
        case .signIn: return "has its iCloud account again"
        case .resetZone(.deletedByUser):
            return "the user deletes the app's data in iCloud: every device deletes it too when it learns about it"
        case .resetZone(.lost):
            return "the data in iCloud is lost: every device uploads its records again when it learns about it"
        case .resetMirror(.accountChange, _):
            return "is signed in to another iCloud account and back: its records are deleted here and fetched again"
        case .resetMirror(.historyLost, _):
            return "has lost the history that CloudKit needs: its synced records are deleted here and fetched again"
        case .resetMirror(.tokenExpired, _):
            return "has lost its place in CloudKit's changes: it fetches everything, and uploads what CloudKit lacks"
        case .upgrade: return "the app is updated"
        case .repair: return "repairs its store"
        case .settle: return "all devices rest until nothing is left to sync"
        case .catchUp: return "all devices sync until nothing is pending, and remain in use"
        }
    }
}
