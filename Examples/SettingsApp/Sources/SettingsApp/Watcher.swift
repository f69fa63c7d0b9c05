import Foundation
import MeterModel
import MeterStore

/// The process that looks: a widget, or the app on its second window.
struct Watcher {
    let path: String

    func run() async throws {
        var isFirst = true
        var connected: Set<String> = []
        for try await change in SettingsStore.changes(at: path, every: .milliseconds(100)) {
            if isFirst {
                // The first element has every record.
                say("watching \(change.saved.count) records")
                isFirst = false
                continue
            }
            for meter in change.saved { say("saved: \(Page(of: meter).line)") }
            for meter in change.deleted { say("deleted: \(Page(of: meter).title)") }
            for meter in change.expired { say("free to take: \(Page(of: meter).title)") }
            for meter in change.saved {
                guard let address = meter.macAddress else { continue }
                if meter.connection != nil {
                    connected.insert(address)
                } else if connected.contains(address) {
                    return
                }
            }
        }
    }

    /// Prints a line at once, also into a pipe.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}

/// What a page about a meter shows.
struct Page {
    private let meter: MeterSettings
    private let now = Timestamp(Date())

    init(of meter: MeterSettings) { self.meter = meter }

    /// A name that a program made says nothing; then the address says more.
    var title: String {
        if let name = meter.meterName, !meter.isNameMachineMade { return name }
        return meter.macAddress ?? "a meter without an address"
    }

    /// Everything in one line.
    var line: String {
        var parts = [title]
        if let type = meter.modelType { parts.append(type) }
        if let unit = meter.tc66TemperatureUnit { parts.append(unit) }
        if let connection = meter.connection {
            let holder = connection.deviceName ?? connection.deviceID ?? "a device"
            parts.append(connection.isExpired(at: now) ? "was connected to \(holder)" : "connected to \(holder)")
            if let since = connection.connectedAt, let end = connection.expiresAt {
                parts.append("for \(Int(end.seconds(since: since))) s")
            }
        }
        if let seen = meter.lastSeen, let device = seen.deviceName ?? seen.deviceID, seen.seenAt != nil {
            parts.append("seen by \(device)")
        }
        return parts.joined(separator: ", ")
    }

    /// From the first write to the last: as text in UTC, and as a formatter makes it.
    var dates: String {
        "\(meter.createdAt?.description ?? "never") to \(meter.updatedAt?.date.ISO8601Format() ?? "never")"
    }
}
