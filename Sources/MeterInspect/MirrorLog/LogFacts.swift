internal import CoreDataStore

/// What a log says besides its requests.
package struct LogFacts {
    /// Lines of messages about the mirror.
    package private(set) var recognised = 0
    package private(set) var first: LogMoment?
    package private(set) var last: LogMoment?
    /// The container in CloudKit that is named first.
    package private(set) var container: String?
    /// Processes, without those of the system, in their order.
    package private(set) var processes: [String] = []
    /// Stores that are named, by identifier.
    package private(set) var stores: [String] = []
    /// What the mirror last read of the account, such as `Available`.
    package private(set) var accountStatus: String?
    /// Messages that look like errors and are none, by their rows in the table.
    package private(set) var noise: [String] = []

    /// What the log says of each error where it tells it for the first time, by the rows' ids.
    package private(set) var details: [String: LogDetail] = [:]

    /// What one log can name; a longer list is none that a person reads.
    private static let most = 16

    static let daemons = ["cloudd", "dasd", "apsd"]

    mutating func add(_ found: borrowing LogFinding) {
        let message = found.message
        recognised += message.lines
        add(message.time)
        if container == nil { container = found.container }
        if let process = message.process { add(process: process) }
        for fault in found.told.map(\.fault) where fault.kind == .noise { Self.add(fault.id, to: &noise) }
        addDetails(of: found.errors)
        if let store = found.store { Self.add(store, to: &stores) }
        if let status = message.accountStatus { accountStatus = status }
    }

    mutating func add(process: String) {
        if !processes.contains(process), !Self.daemons.contains(process) { Self.add(process, to: &processes) }
    }

    private mutating func addDetails(of errors: [LoggedErrors.Found]) {
        for (error, text) in errors where details[error.fault.id] == nil {
            details[error.fault.id] = LoggedErrors.detail(in: text)
        }
        // A list has the error of each record.
        guard errors.count > 1 else { return }
        for (id, same) in Dictionary(grouping: errors, by: { $0.error.fault.id })
        where same.count > details[id]?.records ?? 0 {
            details[id]?.records = same.count
        }
    }

    mutating func add(_ time: LogMoment?) {
        guard let time else { return }
        if first == nil { first = time }
        last = time
    }

    private static func add(_ text: String, to list: inout [String]) {
        if list.count < most, !list.contains(text) { list.append(text) }
    }
}
