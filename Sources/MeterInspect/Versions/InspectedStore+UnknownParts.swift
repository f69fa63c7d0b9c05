internal import CoreDataStore
package import MeterModel
internal import MeterStore

extension InspectedStore {
    /// By the store's model, or by its columns where it carries none.
    package var unknownParts: UnknownParts {
        guard let settings else { return UnknownParts(attributes: [], entities: []) }
        let family = settings.numbers
        return UnknownParts(
            attributes: settings.layout.fields.filter { $0.known == nil }.map(\.name),
            entities: description.keys.appEntries.filter { !family.contains($0.number) }.map(\.name))
    }
}

extension UnknownParts {
    /// How many: `2 attributes and 1 entity that meterfix does not know`.
    package var phrase: String {
        let counts = [(attributes.count, "attribute", "attributes"), (entities.count, "entity", "entities")]
        let parts = counts.filter { $0.0 > 0 }.map { Phrase.count($0.0, $0.1, $0.2) }
        return "\(Phrase.list(parts)) that meterfix does not know"
    }

    /// What they are called, and what a merge does to them.
    package var sentences: [String] {
        var sentences: [String] = []
        if !attributes.isEmpty {
            sentences.append(
                "\(Phrase.start(of: attributes)): in a merge, the record that is kept keeps its own value, only NULL is "
                    + "filled, and a value that is discarded is listed as a conflict")
        }
        if !entities.isEmpty {
            sentences.append(
                "\(Phrase.start(of: entities)): no command changes \(entities.count == 1 ? "its" : "their") rows")
        }
        return sentences
    }
}
