import CoreDataStore
import Foundation
import MeterModel
import MeterStore

/// The process that writes: the app.
struct Writer {
    let path: String
    private let address = "00:1A:7D:DA:71:13"

    func run() throws {
        guard let device = AppDevice(id: "5E7C0B1A", name: "Ana's iPhone"),
            let other = AppDevice(id: "90D3A6F2", name: "Bogdan's Mac")
        else { return print("a name that is only a model says nothing: ask the user for one") }

        // Between two operations the file is free: the app, its widget and this process can all use it.
        let store = try SettingsStore(opening: path, access: .shared)
        let watcher = try SecondProcess(arguments: [path, "watch"])
        print("the other process:", try watcher.line())

        // What the user types.
        try store.upsertDeviceSettings(
            macAddress: address, meterName: " Kitchen ", tc66TemperatureUnit: .celsius, at: Timestamp(Date()))
        print("the other process:", try watcher.line())

        // A meter from the first advertisement to the last.
        var meter = ConnectedMeter(address: address, device: device, store: store, now: Timestamp(Date()))
        try meter.handle(.heard)
        print("the other process:", try watcher.line())
        for event: ConnectionStateMachine.Event in [.connectionRequested, .connectionMade, .servicesFound] {
            try meter.handle(event)
        }
        print("the other process:", try watcher.line())
        try refuse(other, store)
        if meter.isReady {
            try meter.handle(.requestSent)
            try meter.handle(.answerReceived)
        }
        // A minute later the lock is renewed.
        meter.wait(ConnectionStateMachine.renewalInterval)
        try meter.handle(.tick)
        print("the other process:", try watcher.line())
        try meter.handle(.disconnected)
        print("the other process:", try watcher.line())

        if let kitchen = try store.fetch(for: address) {
            print("\(Page(of: kitchen).title), from \(Page(of: kitchen).dates)")
        }
        print("\(try store.fetchAll().count) records")
        try store.close()
        watcher.end()
    }

    /// A second device cannot take the meter.
    private func refuse(_ device: AppDevice, _ store: SettingsStore) throws {
        do {
            try store.setConnection(macAddress: address, modelType: nil, by: device, at: Timestamp(Date()))
        } catch {
            guard error.kind == .inUse else { throw error }
            print("\(device.name) has to wait: \(error.message)")
        }
    }
}

/// One connection: the state machine says what to write, and this writes it.
struct ConnectedMeter {
    let address: String
    let device: AppDevice
    let store: SettingsStore
    private(set) var now: Timestamp
    private var life = ConnectionStateMachine()

    init(address: String, device: AppDevice, store: SettingsStore, now: Timestamp) {
        (self.address, self.device, self.store, self.now) = (address, device, store, now)
    }

    mutating func wait(_ seconds: Double) { now.secondsSince2001 += seconds }

    /// Whether there is something to measure.
    var isReady: Bool { life.state >= .ready }

    mutating func handle(_ event: ConnectionStateMachine.Event) throws {
        switch try life.handle(event, at: now) {
        case .recordDiscovery: try store.recordDiscovery(macAddress: address, by: device, at: now)
        case .publish: try store.setConnection(macAddress: address, modelType: "TC66C", by: device, at: now)
        case .renew: try store.setConnection(macAddress: address, modelType: nil, by: device, at: now)
        case .clear: try store.clearConnection(macAddress: address, at: now)
        case nil: break
        }
    }
}

/// This program once more, and the lines that it prints.
final class SecondProcess {
    private let process = Process()
    private let output = Pipe()
    private var rest: [UInt8] = []

    init(arguments: [String]) throws {
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// The next line; waits for it.
    func line() throws -> String {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
            rest += bytes
        }
    }

    func end() { process.waitUntilExit() }
}
