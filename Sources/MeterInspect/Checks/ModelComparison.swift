package import CoreDataStore
package import GRDB
internal import MeterJournal
package import MeterModel
internal import Texts

/// Compares a store with the app's own model. Core Data opens the store with that model as it is if the version hashes
/// are the same, entity by entity.
package enum ModelComparison: Check {
    package static let description = CheckDescription(
        "model-differs", .note, "the model given with --model is another version than the store's",
        explanation: [
            """
            The app whose model this is does not open the store as it is: Core Data, or `meterfix migrate --model`, \
            has to migrate it first. Nothing is wrong with the store. Models have versions so that they can differ.
            """,
            """
            The store was written by an older or a newer version of the app than the one whose model was given. (A \
            store whose own model and version hashes contradict each other is another finding: `model-hash-mismatch`.)
            """,
            """
            Do nothing if the user's app has the model that the store was written with. Otherwise open the store in \
            the version of the app whose model this is, which migrates it, or use `meterfix migrate --model`.
            """,
        ])

    /// A finding for each difference; empty where Core Data opens the store as it is.
    package static func findings(of store: InspectedStore, with file: ModelFile, _ database: Database) -> [Finding] {
        guard let noted = store.description.metadata.versionHashes else {
            let restoration = store.command("migrate --restore-metadata --model \(ShellWord.quoted(file.path))")
            let isRefused = store.refusalToMigrate(to: file, restoring: true, database) != nil
            return [
                ModelHashMismatch.description.finding(
                    "the store has no version hashes to compare with the model",
                    cure: isRefused ? "ask for the store again, or for a backup of it" : .command(restoration))
            ]
        }
        let computed = file.model.versionHashes()
        let names = Set(file.model.entities.map(\.name)).union(noted.keys)
        let differing = names.filter { name in
            guard file.model[entity: name] != nil, let hash = noted[name] else { return true }
            let expected = file.publishedHashes?[name] ?? computed[name]
            // An entity whose hash cannot be computed, and that comes with none, does not count against the store.
            return expected != nil && expected != hash
        }
        guard !differing.isEmpty else { return [] }
        let difference = store.description.storedModel.model.map { ModelDifference(from: $0, to: file.model) }
        let cure = cure(of: store, with: file, database)
        let items = difference?.items ?? []
        guard !items.isEmpty else {
            return differing.sorted(byBytesOf: \.self).map {
                finding("the version hash of \($0) is not the one of the app's model", $0, cure)
            }
        }
        return items.map { finding("the app's model differs: \($0.description)", $0.entity, cure) }
    }

    private static let inTheApp: Sentence =
        "open the store once in the app version whose model this is: it migrates the store itself"

    /// The command line that migrates the store to the model, if that is not refused; what to do otherwise.
    private static func cure(of store: InspectedStore, with file: ModelFile, _ database: Database) -> Cure {
        // With such a model the app does not open the store either.
        let breaches = store.description.mirror == nil ? [] : file.model.breaches(file.details)
        if !breaches.isEmpty {
            return store.inApp(
                .advice(Refusal.unfitForCloudKit(breaches, in: store).hint.map(Sentence.init(marked:)) ?? inTheApp))
        }
        guard store.refusalToMigrate(to: file, database) == nil else { return store.inApp(.advice(inTheApp)) }
        return .command(store.command("migrate --model \(ShellWord.quoted(file.path))"))
    }

    private static func finding(_ message: Sentence, _ entity: String?, _ cure: Cure) -> Finding {
        description.finding(message, entity: entity, cure: cure)
    }
}
