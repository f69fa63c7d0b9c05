// swift-tools-version: 6.1
import PackageDescription

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Scripts/test sets this: our own targets must build without warnings, with any compiler.
if Context.environment["METERFIX_WARNINGS_AS_ERRORS"] != nil {
    settings.append(.unsafeFlags(["-warnings-as-errors"]))
}

// Scripts/fuzz sets this: every branch of our own targets is instrumented, and libFuzzer is linked to `meter-fuzz`.
let isFuzzing = Context.environment["METERFIX_FUZZING"] != nil
if isFuzzing { settings.append(.unsafeFlags(["-sanitize=fuzzer,address"])) }

// Scripts/test builds a release with this: the code under test is compiled as it is shipped, except that tests can see
// what is internal. What tests share makes and compares thousands of stores, and is optimised too; the tests themselves
// are not, because that would take longer than it saves.
var testedSettings = settings
let sharedSettings = settings
if Context.environment["METERFIX_TESTED_RELEASE"] != nil {
    testedSettings.append(.unsafeFlags(["-enable-testing"]))
    settings.append(.unsafeFlags(["-Onone"]))
}

// Scripts/build-one-file sets this: all libraries go into the one file, and of ICU only what has no data.
let isOneFile = Context.environment["METERFIX_ONE_FILE"] != nil

// Scripts/build-one-file sets these to what Scripts/commit prints and to the version of GRDB that it builds with, for
// `meterfix --version --verbose`. `Context.gitInformation` would not do: it is kept with this manifest, and that of an
// earlier commit later on.
let recorded = ["METERFIX_COMMIT", "METERFIX_GRDB"].compactMap { name in
    Context.environment[name].map { CSetting.define(name, to: $0) }
}

let package = Package(
    name: "meterfix",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .executable(name: "meterfix", targets: ["meterfix"]),
        // Any Core Data store, read without Core Data: `StoreSnapshot`.
        .library(name: "CoreDataStore", targets: ["CoreDataStore"]),
        // The store as the app itself writes it: `SettingsStore`.
        .library(name: "MeterStore", targets: ["CoreDataStore", "MeterModel", "MeterStore"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        // System library json-c: it reads all JSON, except the two small objects of a record.
        .systemLibrary(
            name: "CJSONC", pkgConfig: "json-c", providers: [.apt(["libjson-c-dev"]), .brew(["json-c"])]),
        // System library zlib: the cached model is raw DEFLATE. It and SQLite are in Apple's SDK, and GRDB uses the SQLite
        // that is there: one from Homebrew beside it would be a second library with locks of its own. So neither is
        // looked up with pkg-config, and their headers and libraries are where the compiler looks by itself.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        // System library libcrypto, for digests where there is no CryptoKit.
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // SQLite functions that Swift cannot call. (SQLite itself comes with GRDB.)
        .systemLibrary(name: "CSQLiteOptions", providers: [.apt(["libsqlite3-dev"])]),
        // The commit that the program is built from, and which libraries are in it.
        .target(
            name: "CBuild",
            dependencies: [
                "CJSONC", "CZlib", .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            cSettings: recorded),
        // In place of ICU's data in the one file of Scripts/build-one-file. Nothing else depends on it.
        .target(name: "CNoICUData"),
        // Whether bytes are text, where they are in one, and which characters nobody sees; and XML: tags, text and elements,
        // each with its place. Standard library only.
        .target(name: "Texts", swiftSettings: testedSettings),
        // JSON text to a value and back: the only target that imports json-c.
        .target(name: "JSON", dependencies: ["Texts", "CJSONC"], swiftSettings: testedSettings),
        // SHA-1, SHA-256 and SHA-512 of bytes: the only target that imports CryptoKit or libcrypto.
        .target(
            name: "Digests", dependencies: [.target(name: "COpenSSL", condition: .when(platforms: [.linux]))],
            swiftSettings: testedSettings),
        // An answer as blocks, and what they look like on a terminal, in Markdown and in HTML. Knows nothing of meters.
        // Standard library and `Texts` only.
        .target(name: "Answer", dependencies: ["Texts"], swiftSettings: testedSettings),
        // What a record, an address, a lock is; when two records are one meter, who wins, how they merge;
        // Plan, Finding, Report. Standard library and `Texts` only.
        .target(name: "MeterModel", dependencies: ["Texts"], swiftSettings: testedSettings),
        // The file format of Core Data, for any app: opening, metadata, models and their hashes, row numbers,
        // history, the CloudKit mirror. Knows nothing of meters.
        .target(
            name: "CoreDataStore",
            dependencies: [
                "Texts", "Digests", "CZlib", "CSQLiteOptions",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ], swiftSettings: testedSettings),
        // DeviceSettings records in such a store: the only place with their column names.
        .target(
            name: "MeterStore",
            dependencies: ["Texts", "MeterModel", "CoreDataStore", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: testedSettings),
        // A backup's folder, its journal and the lines of its changes: MeterRepair writes them, everybody reads them; and
        // changes as JSON.
        .target(
            name: "MeterJournal",
            dependencies: [
                "Texts", "MeterModel", "CoreDataStore", "MeterStore", "JSON",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: testedSettings),
        // Everything that only looks: what a store, its past and a legacy dump say of themselves, the checks of `verify`,
        // `status`, `meters`, `compare`, `log`, `lost`, `where`; and reports as JSON.
        .target(
            name: "MeterInspect",
            dependencies: [
                "Texts", "Digests", "MeterModel", "CoreDataStore", "MeterStore", "MeterJournal", "JSON",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: testedSettings),
        // What a log says of the mirror: its bytes as records, and these as requests and errors.
        .target(
            name: "MirrorLogs",
            dependencies: [
                "Texts", "MeterModel", "CoreDataStore", "MeterJournal", "MeterInspect", "JSON",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: testedSettings),
        // Whether the build of an app can open the store and mirror it.
        .target(
            name: "AppChecks",
            dependencies: [
                "Texts", "MeterModel", "CoreDataStore", "MeterStore", "MeterJournal", "MeterInspect", "JSON",
            ],
            swiftSettings: testedSettings),
        // Each operation that changes a store: plan, back up, apply, prove, commit; undo; and the copy without personal data.
        .target(
            name: "MeterRepair",
            dependencies: [
                "Texts", "Digests", "MeterModel", "CoreDataStore", "MeterStore", "MeterJournal", "MeterInspect", "JSON",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: testedSettings),
        // Arguments in, an answer or JSON and an exit code out.
        .executableTarget(
            name: "meterfix",
            dependencies: [
                "Texts", "Answer", "CBuild", "MeterModel", "CoreDataStore", "MeterJournal", "MeterInspect",
                "MirrorLogs", "AppChecks", "MeterRepair", "JSON",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: testedSettings),
        // Writes the samples, or compares them with what is committed.
        .executableTarget(name: "make-samples", dependencies: ["MeterTestSupport"], swiftSettings: settings),
        // What tests share: real stores, made stores and what is done to them, samples, random records.
        .target(
            name: "MeterTestSupport",
            dependencies: [
                "CSQLiteOptions", "CoreDataStore", "MeterModel", "MeterStore", "MeterInspect", "MeterRepair",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Tests/MeterTestSupport", swiftSettings: sharedSettings),
        .testTarget(
            name: "AnswerTests", dependencies: ["Answer", "MeterModel", "MeterTestSupport", "Texts"],
            swiftSettings: settings),
        .testTarget(name: "DigestsTests", dependencies: ["Digests"], swiftSettings: settings),
        .testTarget(name: "TextsTests", dependencies: ["MeterTestSupport", "Texts"], swiftSettings: settings),
        .testTarget(
            name: "MeterModelTests", dependencies: ["Texts", "MeterModel", "MeterTestSupport"],
            swiftSettings: settings),
        .testTarget(name: "JSONTests", dependencies: ["CJSONC", "JSON", "MeterTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "CoreDataStoreTests",
            dependencies: [
                "CoreDataStore", "MeterModel", "MeterStore", "MeterTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MeterStoreTests",
            dependencies: [
                "CoreDataStore", "MeterModel", "MeterInspect", "MeterRepair", "MeterStore", "MeterTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        // SQLite's file system with faults, for tests of what happens when a disk fails.
        .target(
            name: "CFaultyVFS", dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")],
            path: "Tests/CFaultyVFS"),
        .testTarget(
            name: "MeterInspectTests",
            dependencies: [
                "CoreDataStore", "JSON", "MeterFuzz", "MeterModel", "MeterJournal", "MeterInspect", "MeterRepair",
                "MeterStore", "MeterTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MirrorLogsTests",
            dependencies: [
                "CoreDataStore", "JSON", "MeterModel", "MeterInspect", "MirrorLogs", "MeterTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AppChecksTests",
            dependencies: [
                "AppChecks", "CoreDataStore", "JSON", "MeterModel", "MeterStore", "MeterTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MeterRepairTests",
            dependencies: [
                "CFaultyVFS", "CoreDataStore", "JSON", "MeterFuzz", "MeterModel", "MeterJournal", "MeterInspect",
                "MeterRepair",
                "MeterStore", "MeterTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MeterTestSupportTests",
            dependencies: [
                "CoreDataStore", "MeterStore", "MeterTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DocumentationTests", dependencies: ["MeterModel", "MeterJournal", "MeterInspect"],
            swiftSettings: settings),
        // On a Mac: compares the samples, and what meterfix makes of them, with Apple's own Core Data. Elsewhere only
        // the expectations are tested.
        .testTarget(
            name: "AppleCoreDataTests",
            dependencies: [
                "CoreDataStore", "MeterModel", "MeterInspect", "MeterRepair", "MeterStore", "MeterTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        // The readers of foreign bytes behind one entry each, for the tests and for `meter-fuzz`.
        .target(
            name: "MeterFuzz",
            dependencies: [
                "AppChecks", "CoreDataStore", "JSON", "MeterModel", "MeterInspect", "MirrorLogs",
                "MeterRepair",
                "MeterStore", "MeterTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/MeterFuzz", swiftSettings: sharedSettings),
        .testTarget(
            name: "MeterFuzzTests", dependencies: ["MeterFuzz", "MeterModel", "MeterTestSupport"],
            swiftSettings: settings),
        // The built program, run as users run it: every sample, every option, every way to be refused.
        .testTarget(
            name: "MeterfixTests",
            dependencies: [
                "Answer", "AppChecks", "meterfix", "JSON", "MeterModel", "MeterJournal", "MeterInspect", "MeterRepair",
                "MeterStore",
                "CoreDataStore",
                "MeterTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

#if os(Linux)
    // Calls of the operating system with faults, loaded in front of libc into the program under test.
    package.products.append(.library(name: "FaultyCalls", type: .dynamic, targets: ["CFaultyCalls"]))
    package.targets.append(.target(name: "CFaultyCalls", path: "Tests/CFaultyCalls"))
#endif

// Scripts/docs sets this: the plugin that builds the libraries' documentation.
if Context.environment["METERFIX_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

if isOneFile, let program = package.targets.first(where: { $0.name == "meterfix" }) {
    program.dependencies.append("CNoICUData")
    // Without addresses to adjust and libraries to look for, the program starts in half the time.
    program.linkerSettings = [.unsafeFlags(["-static-executable", "-use-ld=lld"])]
}

if isFuzzing {
    package.targets.append(
        .executableTarget(
            name: "meter-fuzz", dependencies: ["MeterFuzz"], path: "Tests/meter-fuzz", swiftSettings: settings,
            // GNU gold fails on the output of the sanitizers.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]))
}

// Benchmarks/several-devices, Benchmarks/settings and Scripts/test set this: what answers questions of meterfix's developers.
// It is no package of its own because what it tries is of this package's own access.
if Context.environment["METERFIX_TRIALS"] != nil {
    package.targets += [
        // A fleet of devices in memory, a simulated CloudKit zone between them, and what a repair does there.
        .target(
            name: "FleetSimulation", dependencies: ["MeterModel", "MeterStore", "MeterTestSupport"],
            path: "Benchmarks/Trials/FleetSimulation", swiftSettings: testedSettings),
        // Random fleets, and how many of them a repair harms.
        .target(
            name: "FleetTrials", dependencies: ["MeterModel", "FleetSimulation", "MeterTestSupport"],
            path: "Benchmarks/Trials/FleetTrials", swiftSettings: testedSettings),
        // Prints the tables of what a repair does to random fleets: `Benchmarks/several-devices`.
        .executableTarget(
            name: "fleet-tables",
            dependencies: ["FleetTrials", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Benchmarks/Trials/fleet-tables", swiftSettings: testedSettings),
        // Times what an app does with its settings store: `Benchmarks/settings`.
        .executableTarget(
            name: "settings-latency",
            dependencies: [
                "CoreDataStore", "MeterModel", "MeterStore", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Benchmarks/Trials/settings-latency", swiftSettings: testedSettings),
        .testTarget(
            name: "FleetTrialsTests",
            dependencies: [
                "CoreDataStore", "FleetSimulation", "FleetTrials", "MeterModel", "MeterInspect", "MeterRepair",
                "MeterStore", "MeterTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Benchmarks/Trials/FleetTrialsTests", swiftSettings: settings),
    ]
}
