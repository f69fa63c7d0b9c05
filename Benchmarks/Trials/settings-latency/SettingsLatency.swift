import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterStore

/// Times single operations of `SettingsStore` on a copy of a store, and GRDB alone doing the least that comes close:
/// one SELECT, one UPDATE in a transaction that waits for the disk as much.
///
///     settings-latency STORE [RUNS]      prints a table
///     settings-latency STORE write       the second process: saves a name when it reads a line
@main
enum SettingsLatency {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else {
            print("usage: settings-latency STORE [RUNS]")
            exit(64)
        }
        if arguments.count > 2, arguments[2] == "write" { return try writer(arguments[1]) }
        let runs = arguments.count > 2 ? Int(arguments[2]) ?? 200 : 200
        let path = arguments[1]
        let addresses = try addresses(path)
        print("\(addresses.count) records, \(runs) runs: median, and the slowest of ten, in milliseconds")
        for access in [SettingsStore.Access.exclusive, .shared] {
            let store = try SettingsStore(opening: path, access: access)
            try report("read one meter, \(access)", runs) { run in
                _ = try store.fetch(for: addresses[run % addresses.count])
            }
            try report("save a name, \(access)", runs) { run in
                try store.upsertDeviceSettings(
                    macAddress: addresses[run % addresses.count], meterName: "\(access) \(run)",
                    tc66TemperatureUnit: nil, at: Timestamp(Date()))
            }
            try store.close()
        }
        try await seen(path, min(runs, 20))
        // Last: it takes the -wal away when it closes, and without it a settings store is refused.
        try floor(path, runs, addresses)
    }

    private static func addresses(_ path: String) throws -> [String] {
        let store = try SettingsStore(opening: path)
        defer { try? store.close() }
        return try store.fetchAll().compactMap(\.macAddress)
    }

    private static func floor(_ path: String, _ runs: Int, _ addresses: [String]) throws {
        var configuration = Configuration()
        // The process that looked may still be closing.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try report("read one meter, GRDB alone", runs) { run in
            _ = try queue.read {
                try Row.fetchOne(
                    $0, sql: "SELECT * FROM ZDEVICESETTINGS WHERE ZMACADDRESS = ?",
                    arguments: [addresses[run % addresses.count]])
            }
        }
        try report("save a name, GRDB alone", runs) { run in
            try queue.write {
                try $0.execute(
                    sql: "UPDATE ZDEVICESETTINGS SET ZMETERNAME = ?, Z_OPT = Z_OPT + 1 WHERE ZMACADDRESS = ?",
                    arguments: ["alone \(run)", addresses[run % addresses.count]])
            }
        }
        try queue.close()
    }

    /// From the moment another process begins to save until the change is there.
    private static func seen(_ path: String, _ runs: Int) async throws {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [path, "write"]
        let input = Pipe()
        process.standardInput = input
        try process.run()
        let clock = ContinuousClock()
        var times: [Double] = []
        var begun: ContinuousClock.Instant?
        for try await _ in SettingsStore.changes(at: path) {
            if let begun { times.append(milliseconds(clock.now - begun)) }
            guard times.count < runs else { break }
            begun = clock.now
            input.fileHandleForWriting.write(Data("\(times.count)\n".utf8))
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        print(line("a change seen by another process", times))
    }

    private static func writer(_ path: String) throws {
        let store = try SettingsStore(opening: path, access: .shared)
        let meter = try store.fetchAll().compactMap(\.macAddress).first ?? ""
        while let line = readLine() {
            try store.upsertDeviceSettings(
                macAddress: meter, meterName: "Seen \(line)", tc66TemperatureUnit: nil, at: Timestamp(Date()))
        }
        try store.close()
    }

    private static func report(_ name: String, _ runs: Int, _ body: (Int) throws -> Void) throws {
        let clock = ContinuousClock()
        var times: [Double] = []
        for run in 0..<runs { times.append(milliseconds(try clock.measure { try body(run) })) }
        print(line(name, times))
    }

    private static func line(_ name: String, _ times: [Double]) -> String {
        let sorted = times.sorted()
        func text(_ part: Double) -> String {
            String(format: "%9.3f", sorted.isEmpty ? .nan : sorted[Int(Double(sorted.count - 1) * part)])
        }
        return name.padding(toLength: 36, withPad: " ", startingAt: 0) + text(0.5) + text(0.9)
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1_000 + Double(duration.components.attoseconds) / 1e15
    }
}
