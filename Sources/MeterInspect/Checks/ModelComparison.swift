package import CoreDataStore
internal import MeterJournal
package import MeterModel
internal import Texts

extension Check {
    /// A model that is another version than the store's. Core Data opens the store with it as it is if the version hashes
    /// are the same, entity by entity.
    package static let modelDiffers = Check(
        "model-differs", .note, "the model given with --model is another version than the store's",
        """
        The app whose model this is does not open the store as it is: Core Data, or `meterfix migrate --model`, has to \
        migrate it first. Nothing is wrong with the store. Models have versions so that they can differ.

        The store was written by an older or a newer version of the app than the one whose model was given. (A store \
        whose own model and version hashes contradict each other is another finding: `model-hash-mismatch`.)

        Do nothing if the user's app has the model that the store was written with. Otherwise open the store in the \
        version of the app whose model this is, which migrates it, or use `meterfix migrate --model`.
        """, .comparison)
}

extension Session {
    /// A finding for each difference between the store and the app's own model; empty where Core Data opens the store as it
    /// is.
    package func differences(from file: ModelFile) -> [Finding] {
        guard let noted = description.metadata.versionHashes else {
            let restoration = store.command("migrate --restore-metadata --model \(ShellWord.quoted(file.path))")
            let isRefused = refusalToMigrate(to: file, restoring: true) != nil
            return [
                Check.modelHashMismatch.finding(
                    "the store has no version hashes to compare with the model",
                    cure: isRefused ? "ask for the store again, or for a backup of it" : .command(restoration))
            ]
        }
        let computed = file.model.versionHashes()
        let names = Set(file.model.entities.map(\.name)).union(noted.keys)
        func hash(_ name: String) -> [UInt8]? { file.publishedHashes?[name] ?? computed[name] }
        let stored = description.storedModel.model
        var items = stored.map { ModelDifference(from: $0, to: file.model).items } ?? []
        let differing = names.filter { name in
            guard let entity = file.model[entity: name], let known = noted[name] else { return true }
            // Of an entity whose hash cannot be computed, and that comes with none, the models tell.
            guard let expected = hash(name) else {
                let unread = entity.unreadProperties.intersection(stored?[entity: name]?.unreadProperties ?? [])
                return items.contains { $0.entity == name && $0.property.map { !unread.contains($0) } ?? true }
            }
            return expected != known
        }
        guard !differing.isEmpty else { return [] }
        // What neither model tells differs where the hashes do.
        items = items.filter { $0.kind != .notUnderstood || differing.contains($0.entity) }
        let cure = migration(to: file)
        guard !items.isEmpty else {
            return differing.sorted(byBytesOf: \.self).map {
                Check.modelDiffers.finding(
                    "the version hash of \($0) is not the one of the app's model", entity: $0, cure: cure)
            }
        }
        return items.map {
            Check.modelDiffers.finding("the app's model differs: \($0.description)", entity: $0.entity, cure: cure)
        }
    }

    /// The command line that migrates the store to the model, if that is not refused; what to do otherwise.
    private func migration(to file: ModelFile) -> Cure {
        let inTheApp: Sentence =
            "open the store once in the app version whose model this is: it migrates the store itself"
        // With such a model the app does not open the store either.
        let breaches = mirror == nil ? [] : file.model.breaches(file.details)
        if !breaches.isEmpty {
            return store.inApp(
                .advice(Refusal.unfitForCloudKit(breaches, in: store).hint.map(Sentence.init(marked:)) ?? inTheApp))
        }
        if let refusal = refusalToMigrate(to: file) {
            if let attribute = attributeWithoutDefault(in: file) {
                return store.inApp(.advice(Sentence(marked: Refusal.hintOnDefault(of: attribute))))
            }
            let isLoss = description.storedModel.model.map { ModelDifference(from: $0, to: file.model).removes } ?? true
            guard isLoss else { return store.inApp(.advice(inTheApp)) }
            let prohibition = "do not open the store with the app of this model, which would lose records or values"
            return .advice(Sentence("\(prohibition): \(refusal.message)"))
        }
        return .command(store.command("migrate --model \(ShellWord.quoted(file.path))"))
    }

    private func attributeWithoutDefault(in file: ModelFile) -> String? {
        guard let session = try? requireMeterSession(),
            let missing = try? MissingValues(for: [file.model], in: self)
        else { return nil }
        return AppModelTarget(session, file, noted: nil, missing: missing).attributeWithoutDefault
    }
}
