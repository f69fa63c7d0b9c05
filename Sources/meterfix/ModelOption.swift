internal import ArgumentParser
internal import CoreDataStore

/// The app's own model.
struct ModelOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The app's model: .xcdatamodel, .xcdatamodeld, .mom or .momd. Left out: the models meterfix knows.",
            valueName: "PATH"),
        completion: .file())
    var model: String?

    func file() throws(StoreError) -> ModelFile? {
        guard let model else { return nil }
        return try ModelFile.read(model)
    }
}
