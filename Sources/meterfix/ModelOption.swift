internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterRepair

/// The app's own model.
struct ModelOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The app's model: .xcdatamodel, .xcdatamodeld, .mom or .momd. Default: the one the store carries, or those meterfix knows.",
            valueName: "PATH"),
        completion: .file())
    var model: String?

    /// As a user types it.
    var words: [String] { model.map { ["--model", ShellWord.quoted($0)] } ?? [] }

    func file() throws(StoreError) -> ModelFile? {
        guard let model else { return nil }
        return try ModelFile.read(model)
    }
}
