internal import CoreDataStore
package import JSON

/// The iCloud accounts of several stores, as their mirrors saw them last.
package struct KnownAccounts: Hashable, Sendable {
    /// One for each store, in the order of the stores; nil where it is not known.
    package private(set) var accounts: [String?] = []

    mutating func add(_ account: String?) { accounts.append(account) }

    /// Whether all of them are one account; nil where that is not known.
    package var areSame: Bool? {
        let known = Set(accounts.compactMap(\.self))
        if known.count > 1 { return false }
        return accounts.contains(nil) ? nil : true
    }

    /// What is said before anything else of stores that never meet; nil where nothing says so.
    package func warning(_ stores: [String]) -> String? {
        guard areSame == false else { return nil }
        let subject = stores.count == 2 ? "\(stores[0]) and \(stores[1])" : "these \(stores.count) stores"
        return "\(subject) belong to different iCloud accounts: nothing of one account ever reaches the other"
    }

    package var json: [JSONValue.Member] {
        [.init("accounts", accounts), .init("sameAccount", areSame)]
    }
}

extension Session {
    /// The iCloud account that the mirror saw last: its record name there. Nil where that is not known.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func account() throws -> String? { try mirror?.account(database) }
}
