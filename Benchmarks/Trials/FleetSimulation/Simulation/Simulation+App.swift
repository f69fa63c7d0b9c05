internal import MeterModel
internal import MeterStore

/// What the app does on a device.
extension Simulation {
    func hear(_ meter: Int, on device: Int) {
        var life = devices[device].lives[meter] ?? ConnectionStateMachine()
        // A meter that is connected does not advertise itself.
        guard life.state <= .peripheralNotConnected else { return }
        live(&life, .heard, meter, device)
        devices[device].lives[meter] = life
    }

    func connect(_ meter: Int, on device: Int) {
        hear(meter, on: device)
        guard var life = devices[device].lives[meter], life.state == .peripheralNotConnected else { return }
        live(&life, .connectionRequested, meter, device)
        live(&life, .connectionMade, meter, device)
        if live(&life, .servicesFound, meter, device) {
            live(&life, .requestSent, meter, device)
            live(&life, .answerReceived, meter, device)
            queue.add(.beat(device: device, meter: meter, life: life), at: now + ConnectionStateMachine.renewalInterval)
        } else {
            // Another device has it. This device has no lock to clear.
            life = ConnectionStateMachine()
        }
        devices[device].lives[meter] = life
    }

    func disconnect(_ meter: Int, on device: Int) {
        guard var life = devices[device].lives[meter], life.state > .peripheralNotConnected else { return }
        live(&life, .disconnected, meter, device)
        devices[device].lives[meter] = life
    }

    /// - Parameter life: the state when the heartbeat was scheduled; if it is different now, this is another
    ///   connection.
    func beat(_ life: ConnectionStateMachine, of meter: Int, on device: Int) {
        guard var current = devices[device].lives[meter], current == life else { return }
        live(&current, .tick, meter, device)
        devices[device].lives[meter] = current
        queue.add(.beat(device: device, meter: meter, life: current), at: now + ConnectionStateMachine.renewalInterval)
    }

    /// The user types a name or chooses a unit.
    func type(_ value: String, into field: SettingsField, of meter: Int, on device: Int) {
        // An older app has no control for it.
        if let position = fleet.layout.position(of: field),
            devices[device].replica.unknownFields.contains(position: position)
        {
            return
        }
        let operation = SettingsOperation.upsert(
            meterName: field == .meterName ? value : nil,
            temperatureUnit: field == .tc66TemperatureUnit ? TemperatureUnit(rawValue: value) : nil)
        perform(operation, on: meter, device)
        typed.note(TypedValue(meter: meter, field: field, value: value, time: now, device: device))
    }

    /// Advances a meter's connection by one event, and writes what the app then writes to its record.
    /// - Returns: false if the connection lock was refused.
    @discardableResult
    private func live(
        _ life: inout ConnectionStateMachine, _ event: ConnectionStateMachine.Event, _ meter: Int, _ device: Int
    ) -> Bool {
        let effect: ConnectionStateMachine.Effect?
        do {
            effect = try life.handle(event, at: clock(of: device))
        } catch {
            preconditionFailure("\(error)")
        }
        let identity = devices[device].identity
        switch effect {
        case nil: return true
        case .recordDiscovery:
            guard devices[device].throttle.admits(meter, at: clock(of: device)) else { return true }
            return perform(.discover(by: identity), on: meter, device)
        case .publish:
            return perform(.connect(modelType: fleet.meters[meter].modelType, by: identity), on: meter, device)
        case .renew:
            return perform(.connect(modelType: nil, by: identity), on: meter, device)
        case .clear:
            devices[device].throttle.reset(meter)
            return perform(.disconnect, on: meter, device)
        }
    }

    /// With names from the address: the device's record of that name, whatever the case of its address.
    private func namesake(of meter: Int, on device: Int) -> RecordNumber? {
        guard options.naming == .fromAddress else { return nil }
        let record = register[RecordNaming.name(of: fleet.meters[meter].address)]
        return record.flatMap { devices[device].replica[$0] == nil ? nil : $0 }
    }

    /// One operation of the settings store.
    /// - Returns: false if it was refused.
    @discardableResult
    private func perform(_ operation: SettingsOperation, on meter: Int, _ device: Int) -> Bool {
        let text = devices[device].addresses[meter]
        let unknown = devices[device].replica.unknownFields
        let found = devices[device].replica.first(of: meter, writtenAs: text) ?? namesake(of: meter, on: device)
        let outcome = operation.outcome(
            over: found.map { devices[device].replica[$0]!.values }, in: fleet.layout, address: text,
            id: devices[device].newIdentity(), now: clock(of: device))
        switch outcome {
        case .unchanged: return true
        case .refused:
            journal.note(meter, "is refused the meter: another device has it")
            return false
        case .update(let writes):
            guard let found else { return true }
            devices[device].replica.beginTransaction()
            let known = writes.filter { !unknown.contains(position: $0.position) }
            devices[device].replica.update(found, at: known.lazy.map { ($0.position, $0.value) })
            journal.note(meter, "writes record \(devices[device].replica.shortName(found))")
        case .insertion(var values):
            for position in values.indices where unknown.contains(position: position) { values[position] = .null }
            let name =
                switch options.naming {
                case .random: devices[device].newRecordName()
                case .fromAddress: RecordNaming.name(of: fleet.meters[meter].address)
                }
            let record = register.record(named: name, meter: meter)
            devices[device].replica.beginTransaction()
            devices[device].replica.insert(values, as: record, options.naming)
            journal.note(meter, "creates record \(devices[device].replica.shortName(record))")
        }
        return true
    }
}
