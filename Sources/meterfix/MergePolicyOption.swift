internal import ArgumentParser
internal import MeterModel

struct MergePolicyOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            What stays if a device and the cloud both changed a record. Property by property: the cloud's value of what \
            both changed (store-trump, the app's own), or the device's (object-trump). As a whole: the device's \
            version, the cloud's, or the later one.
            """,
            valueName: "store-trump|object-trump|overwrite|rollback|last-write-wins"))
    var policy: MergePolicy = .ofTheApp
}

extension MergePolicy: Choice {}
