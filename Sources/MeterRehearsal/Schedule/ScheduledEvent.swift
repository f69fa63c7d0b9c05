package import MeterModel

/// Something that happens to a device at a set time. A schedule has everything in it that is left to chance; what
/// follows from it, such as heartbeats, answers and retries, the simulation makes itself.
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
        /// Takes in what the zone has, at most `page` records at a time.
        case `import`(Transit, page: Int)
        /// The app ends without a goodbye: locks stay, and answers under way are never heard.
        case crash
        case cutNetwork
        case restoreNetwork
        /// The zone answers the next request with *retry after … seconds*.
        case throttle(seconds: Double)
        /// The user's account is full, for all devices.
        case fillQuota
        case relieveQuota
        /// The app is updated, and knows all fields.
        case upgrade
        case repair
        /// All devices are put down: meters disconnected, networks on, and nothing is done until nothing is left to
        /// upload or to take in anywhere.
        case settle
    }

    /// How long a request and its answer are under way. Seconds.
    package struct Transit: Hashable, Sendable {
        package let up: Double
        package let down: Double

        package init(up: Double, down: Double) {
            self.up = up
            self.down = down
        }
    }

    /// Seconds since the beginning. The time that settling takes is not counted.
    package var time: Double
    /// The device's number; without meaning for what happens to all.
    package var device: Int
    package var action: Action

    package init(_ time: Double, device: Int, _ action: Action) {
        self.time = time
        self.device = device
        self.action = action
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
