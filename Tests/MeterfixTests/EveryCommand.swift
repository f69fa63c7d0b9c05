import MeterTestSupport
import Testing

/// Every command, in each way that it answers.
enum EveryCommand {
    private static let store = "duplicates.sqlite"
    /// A log with an export that failed.
    private static let log = "03-quota-partial-default.log"

    /// A folder with what the runs need.
    static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder(sample: "duplicates")
        for (sample, name) in [
            ("v1", "v1"), ("blob", "blob"), ("healthy", "other"), ("check-mirror-orphan", "orphan"),
            ("nameless-first", "nameless"),
        ] { try folder.copySampleFile(sample + ".sqlite", as: name + ".sqlite") }
        try FileBytes.write(FileBytes.read(PackageFolder.path + "/Tests/Logs/" + log), to: folder.path + "/console.log")
        let app = PackageFolder.path + "/Tests/Apps/02-entitlements-no-icloud/USB Meter.entitlements"
        try FileBytes.write(FileBytes.read(app), to: folder.path + "/USB Meter.entitlements")
        for suffix in ["", "-wal"] {
            try folder.copySampleFile("check-names-lost.sqlite" + suffix, as: "lost.sqlite" + suffix)
        }
        try folder.copySampleFile("kv/kv-rejects.json", as: "kv.json")
        try folder.makeFolder("home/Library/Application Support")
        try folder.copySampleFile("healthy.sqlite", as: "home/Library/Application Support/CKModel.sqlite")
        return folder
    }

    /// The words of each run, in an order in which each has something to say.
    static let runs: [[String]] = [
        ["status", store], ["verify", store], ["verify", "--list-checks"], ["verify", "--explain", "lock-torn"],
        ["compare", store, "other.sqlite"], ["meters", "--locked", store], ["meters", store], ["sync", store],
        ["explain", "console.log"], ["explain", "console.log", store], ["check-app", "USB Meter.entitlements"],
        ["show", "A4:C1:38:0B:7E:21", store], ["show", "--row", "13", store], ["log", store],
        ["log", store, "other.sqlite"], ["devices", store], ["lost", "lost.sqlite"],
        ["meters", "lost.sqlite", "--at", "6"], ["compare", "lost.sqlite", "--at", "6"],
        ["report", store, "--output", "page.html"], ["where", "home"], ["migrate", "-n", "-v", "v1.sqlite"],
        ["import-kv", "-n", "kv.json", store], ["unlock", "-n", "A4:C1:38:0B:7E:21", "blob.sqlite"],
        ["set", "-n", "--name", "a<b>|c", "A4:C1:38:70:12:DD", store], ["rebuild", "-n", store],
        ["rebuild", "-n", "--in-use", "nameless.sqlite"], ["fix", "-n", "mirror-orphan", "orphan.sqlite"],
        ["fix", "-n", "--all", store], ["delete", "-n", "--force", "--row", "13", store],
        ["rebuild", "-n", "--only", "A4:C1:38:0B:7E:21", store], ["undo", "--list", store],
        ["redact", store, "redacted.sqlite"], ["recover", store, "recovered.sqlite"], ["rebuild", store],
        ["undo", "--list", store], ["log", store], ["restore-record", "--list", "A4:C1:38:0B:7E:21", store],
        ["restore-record", "-n", "--row", "3", "A4:C1:38:0B:7E:21", store],
        ["rebuild", "-n", "--expect", "0123456789abcdef", store], ["undo", "-n", store], ["undo", store],
    ]

    /// Each run with another file in the place of its store. `recover` reads what is no store any more, and `where` a
    /// folder; the first of two words of `log` is a meter where it is no file.
    static func runs(on path: String) -> [[String]] {
        var seen: Set<[String]> = []
        return runs.compactMap { words in
            guard let place = words.firstIndex(where: { $0.hasSuffix(".sqlite") }),
                !["recover", "where"].contains(words[0]), words != ["log", store, "other.sqlite"]
            else { return nil }
            let words = words.indices.map { $0 == place ? path : words[$0] }
            return seen.insert(words).inserted ? words : nil
        }
    }

    /// Those that change the store or make a file: a second time they do something else.
    static func isOnce(_ words: [String]) -> Bool {
        words == ["rebuild", store] || words == ["undo", store] || ["redact", "recover"].contains(words[0])
    }
}
