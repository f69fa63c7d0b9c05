internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterInspect
internal import MeterTestSupport
internal import MirrorLogs

extension FuzzTarget {
    /// A log of Console, Xcode or a sysdiagnose.
    static let mirrorLog = FuzzTarget(
        name: "mirror-log", longestInput: 1 << 15, shortRun: 300,
        seeds: {
            let folder =
                URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Logs/"
            // One of each form.
            let logs = try [
                "03-quota-partial-default.log", "08-model-constraint-crash.log", "18-offline-idevice.log",
                "25-deferred-rate-limit-default.log", "34-utf16-le-bom.log", "35-mail-quoted-wrapped-76.log",
                "36-markdown-block.log", "37-json-array.log", "38-xcode15-metadata.log", "42-app-printed-events.log",
            ].map { try FileBytes.read(folder + $0) }
            let head = """
                From: a
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/plain
                Content-Transfer-Encoding:
                """
            let base64 = Data(logs[0]).base64EncodedString(options: .lineLength76Characters)
            let quoted = "error: CoreData+CloudKit: Export failed with error:=\n <CKError 0x1: =22Quota=22 (25)>"
            let error = "CoreData+CloudKit: -[X y](1): Export failed with error: <CKError 0x1: \\\"Quota\\\" (25)>"
            let others = [
                #"{"app_name":"a"}"# + "\n"
                    + #"{"asi": {"a": ["\#(error)"]}, "captureTime": "2026-11-20 08:14:00 +0100"}"#,
                #"{"time": 1795158840000000000, "process": "/a/USB Meter", "message": "\#(error)"}"#,
                "Timestamp,Process,Message\n2026-11-20T07:14:00Z,/a/USB Meter,\"\(error.replacing("\\\"", with: "\"\""))\"\n",
                "\u{1B}[31m2026-11-20 08:14:00 USB Meter{CoreData}[1] <ERROR>: \(error)\n2026-11-20 08:13:00 a[1]: CKErrorDomain 25\n",
            ]
            return logs + changed(logs[0]) + others.map { Array($0.utf8) }
                + ["\(head) base64\n\n\(base64)\n--b--\n", "\(head) quoted-printable\n\n\(quoted)\n--b--\n"].map {
                    Array($0.utf8)
                }
        },
        entry: {
            { bytes in
                let log: MirrorLog
                do throws(StoreError) {
                    log = try MirrorLog(bytes: bytes, name: "log")
                } catch {
                    guard error.kind == .damaged else { throw error }
                    return
                }
                guard log.lines <= bytes.count, log.entries.allSatisfy({ $0.count > 0 }) else {
                    throw BrokenLaw("a log has more lines than bytes, or an error that it does not have")
                }
                _ = log.timeline()
                _ = ExplainedLog(log: log, store: nil).text(pretty: false)
            }
        })

    /// A log with numbers before its lines, with lines that were broken, and with other signs for those of ASCII.
    private static func changed(_ log: [UInt8]) -> [[UInt8]] {
        let lines = String(decoding: log, as: UTF8.self).split(separator: "\n")
        let broken = lines.map { line in
            stride(from: 0, to: line.count, by: 80).map { line.dropFirst($0).prefix(80) }.joined(separator: "\n")
        }
        let signs = lines.joined(separator: "\n").replacing("\"", with: "&quot;").replacing("  ", with: "\u{A0} ")
        return [
            lines.enumerated().map { "\($0.offset + 1):\($0.element)" }.joined(separator: "\n"),
            broken.joined(separator: "\n"), signs.replacing("'", with: "’"),
        ].map { Array($0.utf8) }
    }
}
