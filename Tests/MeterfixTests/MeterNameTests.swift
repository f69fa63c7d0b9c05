import MeterTestSupport
import Testing

/// Commands that take a meter's name in the place of its address.
@Suite("a meter's name on the command line")
struct MeterNameTests {
    private static let now = ["--now", SampleSession.now]

    @Test(
        "says the same as its address",
        arguments: [["unlock", "--dry-run"], ["set", "--dry-run", "--name", "Bench"], ["restore-record", "--list"]])
    func sameAnswer(command: [String]) throws {
        let folder = try ScratchFolder(sample: "healthy")
        func run(_ meter: String...) throws -> MeterfixProcess.Answer {
            try folder.meterfix(
                arguments: command + Self.now + meter, environment: ["METERFIX_STORE": "healthy.sqlite"])
        }
        let byAddress = try run("A4:C1:38:0B:7E:21", "healthy.sqlite")
        #expect(byAddress.code < 2)
        #expect(byAddress.stderr.isEmpty)
        for answer in try [run("Kitchen charger", "healthy.sqlite"), run("a4c1380b7e21"), run("kitchen CHARGER")] {
            #expect(answer.stdout == byAddress.stdout)
            #expect(answer.code == byAddress.code && answer.stderr.isEmpty)
        }
    }

    @Test("that nearly fits is an error with a question, and changes nothing")
    func nearlyFits() throws {
        let folder = try ScratchFolder(sample: "healthy")
        // To lock a store for a change, SQLite makes and removes a log beside it.
        for command in [["unlock"], ["set", "--name", "Bench"], ["restore-record"]] {
            try folder.traceless(command + ["kitchn", "healthy.sqlite"], withFolder: false).expectRefusal(
                4, #"healthy.sqlite: no meter is named "kitchn""#,
                hint: #"did you mean A4:C1:38:0B:7E:21, row 1, "Kitchen charger"?"#)
        }
        let address = try folder.traceless(
            ["unlock", "--json", "A4:C1:38:0B:7E:12", "healthy.sqlite"], withFolder: false)
        #expect(address.code == 4)
        #expect(address.stdout.contains("did you mean A4:C1:38:0B:7E:21, row 1, \\\"Kitchen charger\\\"?"))
    }

    @Test("that several meters have is an error that says which")
    func several() throws {
        let folder = try ScratchFolder(sample: "check-name-shared")
        let (first, second) = (#"88:4A:18:C7:D1:54, row 4, "Bench UM34C""#, #"A4:C1:38:5D:02:9F, row 2, "Bench UM34C""#)
        try folder.meterfix("unlock", "bench um34c", "check-name-shared.sqlite").expectRefusal(
            4, #"check-name-shared.sqlite: 2 meters are named "bench um34c""#,
            hint: "name one by its address: \(first); or \(second)")
    }

    @Test("is shown without control characters, whoever typed it")
    func escaped() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Lab' || char(27) || '[2J'", in: "healthy.sqlite")
        let answer = try folder.meterfix("unlock", "Lap\u{1B}[2J", "healthy.sqlite")
        answer.expect(4, saying: "did you mean A4:C1:38:0B:7E:21, row 1, \"Lab")
        #expect(!answer.stderr.contains("\u{1B}"))
    }

    @Test("is wrong usage where there is none, or no store")
    func usage() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let lines: [(words: [String], message: String)] = [
            (["unlock", "healthy.sqlite"], "name a meter by its address or its name, before healthy.sqlite"),
            (["unlock", "Kitchen"], "name a STORE, or set METERFIX_STORE"),
            (["unlock", "", "healthy.sqlite"], "an empty name names no meter"),
            (
                ["unlock", "healthy.sqlite", "A4:C1:38:0B:7E:21"],
                "name the meter before the store: A4:C1:38:0B:7E:21 healthy.sqlite"
            ),
        ]
        for (words, message) in lines {
            let answer = try folder.meterfix(arguments: words)
            #expect(answer.code == 64, "\(words)")
            #expect(answer.stderr.hasPrefix("meterfix: \(message)\n"), "\(words): \(answer.stderr)")
        }
        let mended = try MeterfixProcess.shell(
            #""$METERFIX" unlock "$(printf 'Caf\351')" healthy.sqlite"#, in: folder.path)
        mended.expect(64, saying: "is not UTF-8")
    }
}
