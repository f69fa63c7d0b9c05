package import CoreDataStore
package import GRDB
package import MeterModel
package import MeterStore

/// A store as the checks and the planners see it: what it says about itself, and its records' addresses.
package struct InspectedStore: Sendable {
    /// As the user gave it.
    package let path: String
    package let files: StoreFiles
    package let description: StoreDescription
    /// Nil where the store has no `DeviceSettings`.
    package let settings: SettingsTable?
    /// Sorted.
    package let addresses: AddressIndex
    /// The case of canonical addresses: the store's own, or the one asked for.
    package let letterCase: LetterCase
    package let now: Timestamp
    /// Meters with several records, or with one whose address is not canonical.
    package let metersInNeed: [AddressIndex.Meter]
    /// The case asked for; nil where it is read from the data.
    private let requestedCase: LetterCase?

    package init(
        path: String, files: StoreFiles, letterCase: LetterCase?, now: Timestamp, _ database: Database
    ) throws {
        self.path = path
        self.files = files
        self.now = now
        description = try StoreDescription(database)
        settings = SettingsTable(description)
        addresses = try settings?.addressIndex(database) ?? AddressIndex()
        requestedCase = letterCase
        self.letterCase = letterCase ?? addresses.letterCase
        metersInNeed = addresses.metersInNeed(of: self.letterCase)
    }

    /// `cloudStoreRebuildVersion` in the store's metadata dictionary.
    package var rebuildMarker: Int64? { RebuildMarker.version(in: description.metadata) }

    /// A command line that works on this store, to be shown as a cure.
    func command(_ words: String) -> String {
        var words = words
        // Without it the cure would find nothing to do.
        if let requestedCase, ["rebuild", "verify"].contains(words) {
            words += " --mac-case \(requestedCase.rawValue)"
        }
        return "meterfix \(words) \(ShellWord.quoted(path))"
    }
}
