package import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// What a user named as a meter is none, or several: lower case, no full stop.
package struct UnknownMeter: Error, Hashable, Sendable {
    package let message: String
}

extension MeterFilter {
    /// Looks up the meters that a user names, each by its address or by a name that no other one has.
    /// - Parameters:
    ///   - except: used where `only` is empty.
    ///   - path: of the store; nil where it is yet to be made.
    ///   - dump: an import's, which can have meters that the store does not have.
    /// - Throws: `StoreError` where the store cannot be read.
    package static func naming(
        only: [String], except: [String], in path: String?, and dump: LegacyValues? = nil, now: Timestamp
    ) throws(StoreError) -> Result<MeterFilter, UnknownMeter> {
        let words = only.isEmpty ? except : only
        guard !words.isEmpty else { return .success(.all) }
        let dump = dump?.meters ?? []
        let found: Result<[MACAddress], UnknownMeter>
        if let path {
            found = try MeterSession.look(at: path, now: now) { session in
                try addresses(of: words) { try $0.address(in: session, and: dump) }
            }
        } else {
            found = addresses(of: words) { $0.address(in: dump) }
        }
        return found.map { only.isEmpty ? .except(Set($0)) : .only(Set($0)) }
    }

    private static func addresses(
        of words: [String], _ address: (MeterReference) throws -> Result<MACAddress, UnknownMeter>
    ) rethrows -> Result<[MACAddress], UnknownMeter> {
        var addresses: [MACAddress] = []
        for word in words {
            switch try address(MeterReference(word)) {
            case .success(let address): addresses.append(address)
            case .failure(let unknown): return .failure(unknown)
            }
        }
        return .success(addresses)
    }
}

extension MeterReference {
    fileprivate func address(
        in session: MeterSession, and dump: [LegacyMeter]
    ) throws -> Result<MACAddress, UnknownMeter> {
        switch self {
        case .address(let address):
            if !session.store.addresses.rows(of: address).isEmpty { return .success(address) }
        case .name(let name):
            let inStore = try session.meters(named: name)
            if !inStore.isEmpty { return Self.single(Set(inStore).union(Self.addresses(named: name, in: dump)), name) }
        }
        let near = try session.meters(near: self)
        return address(in: dump, asking: near.question(in: session.store.letterCase))
    }

    fileprivate func address(
        in dump: [LegacyMeter], asking question: String? = nil
    ) -> Result<MACAddress, UnknownMeter> {
        let message: String
        switch self {
        case .address(let address):
            if dump.contains(where: { $0.address == address }) { return .success(address) }
            message = "there is no meter \(address.text(in: .upper))"
        case .name(let name):
            let addresses = Self.addresses(named: name, in: dump)
            guard addresses.isEmpty else { return Self.single(Set(addresses), name) }
            message = "no meter is named \"\(name)\""
        }
        let question = question ?? self.question(about: dump)
        return .failure(UnknownMeter(message: question.map { "\(message); \($0)" } ?? message))
    }

    /// Which meter of a dump may be meant; nil for none.
    private func question(about dump: [LegacyMeter]) -> String? {
        let near: [LegacyMeter]
        switch self {
        case .address(let address):
            let slips = Set(address.slips)
            near = dump.filter { slips.contains($0.address) }
        case .name(let name):
            let wanted = NameNearness(name)
            near = dump.compactMap { meter in
                meter.name.flatMap { wanted.distance(to: $0.value) }.map { (distance: $0, meter: meter) }
            }.sorted { ($0.distance, $0.meter.address) < ($1.distance, $1.meter.address) }.map(\.meter)
        }
        guard !near.isEmpty else { return nil }
        let texts = near.prefix(NearMeter.most).map { meter in
            meter.address.text(in: .upper) + (meter.name.map { ", \"\($0.value)\"" } ?? "")
        }
        return "did you mean \(texts.joined(separator: "; or "))?"
    }

    private static func addresses(named name: String, in dump: [LegacyMeter]) -> [MACAddress] {
        let wanted = WhiteSpace.trimmed(name)
        return dump.filter { $0.name?.value == wanted }.map(\.address)
    }

    private static func single(_ addresses: Set<MACAddress>, _ name: String) -> Result<MACAddress, UnknownMeter> {
        if addresses.count == 1, let address = addresses.first { return .success(address) }
        let texts = addresses.sorted().map { $0.text(in: .upper) }
        return .failure(
            UnknownMeter(
                message:
                    "\(texts.count) meters are named \"\(name)\"; name one by its address: \(Phrase.start(of: texts))"
            ))
    }
}
