import MeterTestSupport
import Testing

@Suite("compare on the command line")
struct CompareTests {
    @Test("begins with the meters that have several records, and ends with what to run, which works")
    func next() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.copySampleFile("duplicates.sqlite", as: "other.sqlite")
        try folder.execute("DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 19", in: "other.sqlite")
        let text = try folder.meterfix("compare", "duplicates.sqlite", "other.sqlite").stdout
        let sections = text.split(separator: "\n").filter { $0.contains(":") && $0.first?.isHexDigit == true }
            .map { String($0) }.filter { $0.dropFirst(17).hasPrefix(" ") }
        #expect(sections.prefix(5).allSatisfy { $0.hasSuffix(" records on both sides") }, "\(sections)")
        #expect(sections.last?.contains("only in A: ") == true)
        #expect(
            text.contains(
                "\n  \"Werkbank UM34C\" and \"Bench UM34C\" on both; it is unpredictable which of them the app shows\n")
        )
        #expect(
            text.contains(
                "\n  1. meterfix verify duplicates.sqlite says what comes before the repair\n"
                    + "  2. meterfix fix --dry-run --all duplicates.sqlite\n  3. then give this store back,"), "\(text)"
        )
        #expect(try folder.meterfix("rebuild", "-q", "duplicates.sqlite").code == 0)
        #expect(try folder.meterfix("rebuild", "-q", "other.sqlite").code == 0)
        let rebuilt = try folder.meterfix("compare", "duplicates.sqlite", "other.sqlite").stdout
        #expect(!rebuilt.contains("unpredictable"))
    }

    @Test("names the command that saves each value that would be lost in any case, on the side whose version stays")
    func rescue() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.copySampleFile("healthy.sqlite", as: "my store.sqlite")
        try folder.execute(
            """
            UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP + 1;
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'it''s new', ZTC66TEMPERATUREUNIT = 'fahrenheit',
                ZUPDATEDAT = ZUPDATEDAT + 9 WHERE Z_PK = 3
            """, in: "my store.sqlite")
        let text = try folder.meterfix("compare", "healthy.sqlite", "my store.sqlite").stdout
        let commands = text.split(separator: "\n").filter { $0.contains(". meterfix set --dry-run ") }
            .map { "\"$METERFIX\" set \($0.split(separator: " --dry-run ", maxSplits: 1)[1]) -q" }
        #expect(commands.count == 2, "\(text)")
        for command in commands { #expect(try MeterfixProcess.shell(command, in: folder.path).code == 0, "\(command)") }
        let after = try folder.meterfix("compare", "--json", "healthy.sqlite", "my store.sqlite").stdout
        #expect(after.contains("\"losing\": 0"), "\(after)")
        #expect(after.contains("\"meterfix sync 'my store.sqlite'\""))
        let equal = try folder.meterfix("compare", "--json", "healthy.sqlite", "healthy.sqlite").stdout
        #expect(equal.contains("\"steps\": [\n  ]\n"))
    }
}
