package import MeterModel

/// How a meter came to have several records, as far as the histories of the stores say it.
package struct DuplicateExplanation: Sendable {
    package struct Record: Sendable {
        /// The name in CloudKit; nil where it has none.
        package let cloudRecord: String?
        /// The store of the device that made it, by its place; nil where no history says which.
        package let maker: Int?
        package let transaction: Int64?
        package let time: Timestamp?
    }

    package let address: MACAddress
    package let name: String?
    package let records: [Record]
    /// How each record after the first came about; one for all where no maker is known. Without a full stop. Devices are
    /// named as `label` says.
    package let sentences: [Sentence]
    /// Whether the histories say of each record who made it and what that device had by then.
    package let isKnown: Bool
}

extension DuplicateExplanation {
    init(of address: MACAddress, _ identities: [TimelineStore.Identity], _ known: TimelineRecords, labels: [String]) {
        self.address = address
        name =
            known.stores.lazy.compactMap { store in
                store.records.sorted { $0.key < $1.key }.first {
                    $0.value.address == address && $0.value.meterName != nil
                }?
                .value.meterName
            }.first
        records = identities.map { identity in
            let maker = known.maker(of: identity)
            return Record(
                cloudRecord: identity.cloudRecord, maker: maker?.store, transaction: maker?.birth.transaction,
                time: maker?.birth.time)
        }
        let teller = DuplicateExplainer(known: known, labels: labels)
        // Those of which it is known come first.
        let others = known.maker(of: identities[0]) == nil ? identities[1...1] : identities[1...]
        let told = others.map { teller.told(identities[0], $0) }
        sentences = told.map(\.sentence)
        isKnown = told.allSatisfy(\.isKnown)
    }
}

/// Says of two records of one meter how they came to be two.
private struct DuplicateExplainer {
    private typealias Identity = TimelineStore.Identity
    let known: TimelineRecords
    let labels: [String]

    /// - Parameter first: the one that was made first, by the clocks of the devices, if both are known.
    func told(
        _ first: TimelineStore.Identity, _ second: TimelineStore.Identity
    ) -> (sentence: Sentence, isKnown: Bool) {
        guard let one = known.maker(of: first) else {
            return ("these histories do not say on which device the records of this meter were made", false)
        }
        guard let other = known.maker(of: second) else {
            let arrival = known.arrival(of: second, in: one.store)
            let rest: Sentence =
                arrival.map { arrival in
                    "; to that device it came from CloudKit\(on(arrival)), "
                        + (arrival.transaction < one.birth.transaction ? "before that" : "after that")
                } ?? ""
            return (
                "\(maker(one)) made a record of this meter\(on(one.birth)); on which device the other one was made, these "
                    + "histories do not say\(rest)", false
            )
        }
        guard one.store != other.store else {
            return (
                "\(maker(other)) made both records of this meter, one\(on(one.birth)) and one\(on(other.birth))"
                    + reason(first, second), true
            )
        }
        let otherHadFirst = known.had(first, in: other.store, at: other.birth.transaction)
        if otherHadFirst ?? false { return (knowing(other, had: one) + reason(first, second), true) }
        if known.had(second, in: one.store, at: one.birth.transaction) ?? false {
            return (knowing(one, had: other) + reason(first, second), true)
        }
        guard otherHadFirst != nil else {
            return (
                "\(maker(one)) made a record of this meter\(on(one.birth)), and \(maker(other)) made another one"
                    + "\(on(other.birth)); whether it had the other by then, its history does not say", false
            )
        }
        let later: Sentence =
            known.arrival(of: first, in: other.store).map { "; it came\(on($0))" }
            ?? (known.hasEverHad(first, in: other.store) == false ? "; it has not come there yet" : "")
        return (
            "\(maker(other)) made another record of this meter\(on(other.birth)), before it had imported the one that "
                + "\(maker(one)) made\(on(one.birth))\(later)", true
        )
    }

    private typealias Maker = (store: Int, birth: TimelineStore.Event)

    private func knowing(_ one: Maker, had other: Maker) -> Sentence {
        "\(maker(one)) made another record of this meter\(on(one.birth)), although it had the one that \(maker(other)) "
            + "made\(on(other.birth))"
    }

    /// What explains a second record on a device that had the first one.
    private func reason(_ first: Identity, _ second: Identity) -> Sentence {
        let (one, other) = (known.texts(of: first), known.texts(of: second))
        guard let text = one.first, let another = other.first, one.count == 1, other.count == 1, text != another else {
            return "; why, the histories do not say"
        }
        return "; they have the address as \"\(text)\" and as \"\(another)\", which are two meters to the app"
    }

    private func maker(_ maker: Maker) -> String {
        maker.birth.author == .meterfix ? "meterfix, in the store of \(labels[maker.store])," : labels[maker.store]
    }

    private func on(_ event: TimelineStore.Event) -> Sentence { event.time.map { " on \($0)" } ?? "" }
}
