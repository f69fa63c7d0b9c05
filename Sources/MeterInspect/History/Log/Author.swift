package import CoreDataStore
internal import MeterStore

/// Who changed a store, as its history says.
package enum Author: Hashable, Sendable {
    case meterfix
    /// Another device, or somebody in iCloud: CloudKit imported the change.
    case otherDevice
    /// CloudKit's mirror, for itself.
    case mirror(CloudKitMirror.Work)
    /// The app or any other program, by the name that the transaction has: its author, or else its app or its process.
    case program(String?)

    package init(_ save: PersistentHistory.Save) {
        if let work = CloudKitMirror.Work(save) {
            self.init(work)
        } else {
            self = save.author == HistoryWriter.author ? .meterfix : .program(save.names.first)
        }
    }

    /// By the name that a transaction has.
    package init(named name: String) {
        if let work = CloudKitMirror.Work(rawValue: name) {
            self.init(work)
        } else {
            self = name == HistoryWriter.author ? .meterfix : .program(name)
        }
    }

    private init(_ work: CloudKitMirror.Work) { self = work == .import ? .otherDevice : .mirror(work) }

    /// Whether CloudKit's mirror saved the change, its own or another device's.
    package var isCloudKit: Bool {
        switch self {
        case .otherDevice, .mirror: true
        case .meterfix, .program: false
        }
    }

    /// Whether it was the app, or an extension of it.
    package var isUSBMeter: Bool {
        if case .program(let name?) = self { name.hasPrefix(USBMeterModel.bundle) } else { false }
    }

    /// Behind what was done: ` in the app`; empty where it has no name.
    package var phrase: String {
        switch self {
        case .program where isUSBMeter: " in the app"
        case .meterfix: " by meterfix"
        case .otherDevice: " from CloudKit"
        case .mirror(let work): " by \(work.rawValue)"
        case .program(let name): name.map { " by \($0)" } ?? ""
        }
    }
}
