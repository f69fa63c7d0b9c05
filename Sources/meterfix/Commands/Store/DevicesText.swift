internal import Answer
internal import MeterInspect
internal import MeterModel

/// The devices that stores know of.
extension KnownDevices {
    /// Names of one device, and meters that it holds, that are shown without `--verbose`.
    private static let mostOfOne = 4

    func blocks(_ times: ShownTimes) -> [Block] {
        // Of a store that no record tells the device of, it may be any of them.
        let all = devices
        let named = all.filter { $0.label != nil }
        let subject = stores.count == 1 ? stores[0] : Phrase.count(stores.count, "store")
        let start = accounts.blocks(of: stores) + alerts.blocks(times)
        guard !named.isEmpty else {
            return start + [.heading("\(subject): no record names a device")] + own(all, times)
        }
        let shown = ShownPart(of: named, most: 40, showsAll: times.showsAll)
        let table = Block.Table(
            ["device", "last seen", "locks", "known by", "id"], widest: 40,
            rows: shown.elements.map { cells($0, times) })
        let count = named.count == 1 ? "1 device" : "\(named.count) devices, the last one seen first"
        let twins = shown.elements.filter(\.isShared).map { device in
            let names = list(device.names.compactMap(FieldText.name), times)
            return Block.note(.warning, "two devices share the id \(device.id ?? ""): \(names)")
        }
        return start + [.heading("\(subject): \(count)"), .table(table)] + shown.remark + twins + own(all, times)
            + advice(named)
    }

    private func cells(_ device: Device, _ times: ShownTimes) -> [Block.Cell] {
        let names = list(device.names.compactMap(FieldText.name), times)
        let reasons = Reason.allCases.filter(device.reasons.contains).map(\.rawValue)
        return [
            .text(names.isEmpty ? "–" : names), times.cell(device.lastSeen),
            .text(device.locks.isEmpty ? "–" : list(device.locks, times)), .remark(reasons.joined(separator: ", ")),
            device.id.map { .code($0) } ?? "–",
        ]
    }

    private func list(_ words: [String], _ times: ShownTimes) -> String {
        Phrase.start(of: words, limit: times.showsAll ? .max : Self.mostOfOne)
    }

    /// Which device each store is of, and what it did there.
    private func own(_ devices: [Device], _ times: ShownTimes) -> [Block] {
        devices.flatMap { device in device.copies.map { (device, $0) } }.map { device, copy in
            let owner =
                device.id == nil
                ? "no record says whose store \(copy.path) is"
                : "\(copy.path) is the store of \(Self.name(of: device) ?? "the device \(device.id ?? "")")"
            var facts: [String] = []
            if copy.transactions > 0 {
                let programs = copy.programs.isEmpty ? "" : " by \(Phrase.list(copy.programs))"
                let last = copy.lastTransaction.map { ", the last one \(times.text($0))" } ?? ""
                facts.append("\(Phrase.count(copy.transactions, "transaction")) saved there\(programs)\(last)")
            }
            if let upload = copy.lastUpload { facts.append("last upload \(times.text(upload))") }
            if let download = copy.lastImport { facts.append("last import \(times.text(download))") }
            return "\(owner)\(facts.isEmpty ? "" : ": \(facts.joined(separator: "; "))")"
        }
    }

    private func advice(_ devices: [Device]) -> [Block] {
        guard stores.count == 1, devices.contains(where: { !$0.locks.isEmpty }) else { return [] }
        let command = Inline.command("unlock --held-by DEVICE", on: stores[0])
        return ["to clear all locks of one device, for example one that was sold or lost: \(command)"]
    }

    /// `"Ana's iPhone"`; nil where it has no name.
    private static func name(of device: Device) -> String? { FieldText.name(device.names.first) }

    /// Devices that are named in a line.
    private static let mostInLine = 6

    /// In one line; nil where none is known.
    var line: String? {
        let labels = devices.compactMap { device in
            (Self.name(of: device) ?? device.id).map { device.copies.isEmpty ? $0 : "\($0), whose store this is" }
        }
        return labels.isEmpty ? nil : Phrase.start(of: labels, limit: Self.mostInLine)
    }
}
