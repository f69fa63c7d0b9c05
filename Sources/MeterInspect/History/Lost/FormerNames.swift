package import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel

extension MeterReference {
    /// The meter's address: looked up in the store where the user gave a name, and where no meter has it, among the names
    /// that the store's files and backups still have.
    /// - Parameter takesFormer: whether a name that only one meter had names it; otherwise the error asks for it.
    /// - Throws: `StoreError`; `unsuitable` if no meter has the name, or if several have it.
    package func address(
        in path: String, folder: String?, now: Timestamp, takesFormer: Bool = false
    ) throws(StoreError) -> MACAddress {
        guard case .name(let name) = self else { return try address(in: path, now: now) }
        return try MeterSession.look(at: path, now: now) { session in
            // What cannot be read of the past keeps nobody from the answer that the present gives.
            guard try !isName(in: session),
                let lost = try? FormerValues(in: session, all: false, withMoved: true, folder: folder)
            else { return try address(in: session) }
            let former = lost.named(like: name)
            if takesFormer, Set(former.map(\.address)).count == 1, former.allSatisfy({ lost.isNamed($0, name) }) {
                return former[0].address
            }
            throw try Refusal.noMeter(
                named: name, in: session.store, near: session.meters(near: self),
                orHad: former.prefix(3).map { lost.sentence(on: $0) })
        }
    }
}

extension FormerValues {
    /// Names that are this one or nearly, the nearest first.
    fileprivate func named(like name: String) -> [FormerValue] {
        let wanted = NameNearness(name)
        let found = values.compactMap { lost -> (distance: Int, value: FormerValue)? in
            guard lost.field.known == .meterName, let text = lost.value.text, let distance = wanted.distance(to: text)
            else { return nil }
            return (distance, lost)
        }
        let nearest = found.map(\.distance).min() ?? 0
        // A name that is the very one makes those that are only near uninteresting.
        return found.filter { nearest > 0 || $0.distance == 0 }.enumerated()
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }.map(\.element.value)
    }

    /// Whether the name is the very one, but for letter case and white space around it.
    fileprivate func isNamed(_ lost: FormerValue, _ name: String) -> Bool {
        lost.value.text.flatMap(NameNearness(name).distance) == 0
    }

    /// `A4:C1:38:0B:7E:21, once named "Kitchen"`.
    fileprivate func sentence(on lost: FormerValue) -> String {
        "\(lost.address.text(in: letterCase)), once named \(lost.value.shown)"
    }
}
