import MeterModel

@testable import FleetSimulation

extension Fleet {
    /// A fleet of devices with these stores, of which all have the same fields. CloudKit has what the stores say they
    /// have synced: for each record the version with the latest `updatedAt`. If every store has changed the record
    /// since, each field is taken from one that has not changed it. A record that one store has and another lacks counts
    /// as not yet arrived there.
    init(_ stores: [StoreCopy], start: Timestamp) {
        let (layout, records) = (stores[0].layout, stores.map(\.records))
        self.init(
            layout: layout, meters: Self.meters(in: records, layout),
            devices: stores.enumerated().map { index, store in
                Device(
                    identity: AppDevice(id: "device-\(index + 1)", name: "device \(index + 1)")!,
                    letterCase: store.letterCase, records: store.records)
            }, zone: Self.zone(of: records, layout), start: start)
    }

    static func zone(of copies: [[Copy]], _ layout: RecordLayout) -> [Copy] {
        let updatedAt = layout.position(of: .updatedAt)
        func age(_ copy: Copy) -> (Int, Double) {
            let moment = updatedAt.flatMap { copy.values[$0].timestamp?.secondsSince2001 } ?? -.infinity
            // What was changed since it was synced is not what CloudKit has; it is used if no store has anything else.
            return copy.standing == .uploaded ? (1, moment) : (0, -moment)
        }
        var versions: [String: [Copy]] = [:]
        var order: [String] = []
        for copy in copies.joined() where ![.new, .unnoticed, .deleted].contains(copy.standing) {
            if versions[copy.name] == nil { order.append(copy.name) }
            versions[copy.name, default: []].append(copy)
        }
        return order.map { name in
            let best = versions[name]!.reduce(versions[name]![0]) { age($0) < age($1) ? $1 : $0 }
            return best.standing == .uploaded ? best : synced(versions[name]!, best, layout)
        }
    }

    /// What CloudKit has of a record that every store has changed since it was synced: each field from a store that has
    /// not changed it. What all of them changed is not known; it is as in `best`.
    private static func synced(_ versions: [Copy], _ best: Copy, _ layout: RecordLayout) -> Copy {
        var values = best.values
        var unknown: Set<String> = []
        for (position, field) in layout.fields.enumerated() {
            if let version = versions.first(where: { !$0.hasChanged(field.name) }) {
                values[position] = version.values[position]
            } else {
                unknown.insert(field.name)
            }
        }
        return Copy(name: best.name, values: values, standing: unknown.isEmpty ? .uploaded : .changed(fields: unknown))
    }

    private static func meters(in copies: [[Copy]], _ layout: RecordLayout) -> [Meter] {
        guard let position = layout.position(of: .macAddress) else { return [] }
        let type = layout.position(of: .modelType)
        var types: [MACAddress: String?] = [:]
        for copy in copies.joined() where copy.standing != .deleted {
            guard let text = copy.values[position].text, let (address, _) = MACAddress.parse(text),
                !address.isPlaceholder
            else { continue }
            types[address] = (types[address] ?? nil) ?? type.flatMap { copy.values[$0].text }
        }
        return types.sorted { $0.key < $1.key }.map { Meter(address: $0.key, modelType: $0.value) }
    }
}

extension Fleet.Copy {
    /// Whether the device may have changed the field since it was synced.
    fileprivate func hasChanged(_ field: String) -> Bool {
        switch standing {
        case .changed(let fields): fields.isEmpty || fields.contains(field)
        case .uploaded: false
        case .new, .unnoticed, .deleted: true
        }
    }
}
