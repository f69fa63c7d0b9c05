internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterTestSupport

extension FuzzTarget {
    /// What people send as the old names, in every form but the database's.
    static let dump = FuzzTarget(
        name: "dump", longestInput: 1 << 16, shortRun: 750,
        seeds: {
            let folder = try TemporaryFolder()
            let others = [
                "// c\n{ MeterNames = ( { a = <0f 0F>; }, 'b\\U00e9\\101' ); /* c */ \"x\\\"\" = {length = 2, bytes = 0x0f0f}; }",
                "<plist><dict><key>a</key><array><real>-1e9</real><date>2026-11-21T12:00:00Z</date><data>AAEC</data>"
                    + "<![CDATA[ ]]><integer>0x7f</integer><false/></array></dict></plist>",
                "mac;name;unit\nA4:C1:38:0B:7E:21;“Kitchen; left”;°C\r\n\"a4c1385d029f\";\"a \"\"b\";\n",
                "A4C1.380B.7E21\tLab\na4c1385d029f\t\tf",
                "{“meternames”: {\"A4:C1:38:OB:7E:21\": „Lab”,},}", "{\"A4:C1:38:0B:7E:21\": \"Lab\"}",
                "From: a@b\nTo: c\nContent-Type: multipart/mixed; boundary=\"x\"\n\n--x\nContent-Type: text/plain; "
                    + "charset=iso-8859-1; format=flowed\n\n> Lab - A4:C1:38:0B:7E:21 \n> (°C)\n> Bench - "
                    + "A4:C1:38:0B:7E:22\n--x\nContent-Disposition: attachment; filename*0*=utf-8''%C3; filename*1=a\n"
                    + "Content-Transfer-Encoding: base64\n\neyJNZXRlck5hbWVzIjoge319\n--x--\n",
                "From a@b\nFrom: a@b\nTo: =?utf-8?Q?=C3=A4?=\nContent-Transfer-Encoding: quoted-printable\n\n"
                    + "1. Lab: A4:C1:38:0B:7E:21=20\n2. K=C3=BCche: A4:C1:38:0B:=\n7E:22\n\n>From here\n",
            ]
            return try SampleShelf.dumps.filter { !$0.storeName.hasSuffix(".sqlite") }.map { sample in
                try sample.make(folder.path)
                return try FileBytes.read(folder.path + "/" + sample.storeName)
            } + others.map { Array($0.utf8) }
        },
        entry: {
            { bytes in
                // A database has its own target.
                guard !bytes.starts(with: "SQLite format 3".utf8) else { return }
                try read(.bytes(bytes, name: "dump"))
            }
        })

    /// The key-value database of macOS 12 and later.
    static let keyValueDatabase = FuzzTarget(
        name: "key-value-database", longestInput: 1 << 17, shortRun: 7,
        seeds: {
            let folder = try TemporaryFolder()
            try KeyValueDatabaseFixture([.init("ro.xdev.USB-Meter", SampleDumps.both)]).write(to: folder.path + "/kvs")
            return [try FileBytes.read(folder.path + "/kvs")]
        },
        entry: {
            let folder = try TemporaryFolder()
            return { bytes in
                try FileBytes.write(bytes, to: folder.path + "/kvs")
                try read(.file(folder.path + "/kvs"))
            }
        })

    private static func read(_ source: KeyValueSource) throws {
        do {
            let dump = try KeyValueDump(source)
            let values = LegacyValues(dump.entries)
            guard values.used + values.empty + values.rejects.count == dump.entries.count else {
                throw BrokenLaw("the entries of a dump do not add up")
            }
        } catch let error as StoreError {
            guard error.kind != .internalFault else { throw BrokenLaw("\(error)") }
        }
    }
}
