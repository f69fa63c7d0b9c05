package import FleetSimulation

/// How a user goes about a repair of several devices.
package struct Trial: Hashable, Sendable {
    package enum Moment: Hashable, Sendable, CaseIterable {
        /// In the middle of their use.
        case inUse
        /// In the middle of their use, when every app is updated and has synced; nothing is typed from then on.
        case namesLeftAlone
        /// After all devices were updated and came to rest.
        case atRest
    }

    package let strategy: RepairStrategy
    /// Whether every device repairs, and not only one.
    package let isTogether: Bool
    package let moment: Moment

    package init(_ strategy: RepairStrategy = .v3, isTogether: Bool, _ moment: Moment) {
        self.strategy = strategy
        self.isTogether = isTogether
        self.moment = moment
    }

    /// Whether every meter is to have one record afterwards.
    var promisesOneRecord: Bool {
        switch strategy {
        case .v3, .v2: moment == .atRest
        case .firstAid, .quietRebuild, .set, .type, .unlock, .fix, .importLegacy, .delete, .forcedDelete: false
        }
    }
}
