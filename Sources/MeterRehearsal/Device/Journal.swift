package import MeterModel

/// What happened in one event of a simulation, for those who watch it.
struct Journal {
    /// Meters of which a record changed somewhere.
    var touched: [Int] = []
    /// What happened to them, in words; kept only if somebody reads it.
    var happenings: [(meter: Int, text: String)] = []
    /// Whether a mirror that started over has deleted or replaced records on a device.
    var isMirrorReset = false
    var isNarrated: Bool
    /// How often two versions of a record conflicted.
    var conflicts = 0
    /// Those that differed in what a user types or chooses.
    var userConflicts: [SyncConflict] = []

    init(isNarrated: Bool) { self.isNarrated = isNarrated }

    mutating func note(_ meter: Int?, _ text: @autoclosure () -> String) {
        guard let meter else { return }
        touched.append(meter)
        if isNarrated { happenings.append((meter, text())) }
    }

    mutating func beginEvent() {
        touched.removeAll(keepingCapacity: true)
        happenings.removeAll(keepingCapacity: true)
        isMirrorReset = false
    }
}

/// Two conflicting versions of a record: a device had changed it, and the server had another version. Logged if they
/// differ in what a user types or chooses; the others are only counted.
package struct SyncConflict: Sendable {
    /// Seconds since the beginning.
    package let time: Double
    package let device: Int
    package let meter: Int
    package let field: SettingsField
    package let kept: FieldValue
    package let givenUp: FieldValue
}
