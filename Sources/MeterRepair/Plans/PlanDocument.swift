package import JSON
internal import MeterInspect
package import MeterModel

/// A plan's file as it was read: what was asked for, what the store was then, and what its lines say. It is a request:
/// nothing in it is carried out before the same plan was made anew.
package struct PlanDocument: Sendable {
    let manifest: PlanManifest
    /// Between the manifest, which is line 1, and the end.
    let lines: [PlanLine]

    /// The command that planned.
    package var command: WritingCommand { manifest.command }
    /// The command that planned, with the option that makes another command of it, as a user types them.
    package var commandWords: String {
        command.rawValue + (manifest.options.contains(.inUse) ? " --in-use" : "")
    }
    /// The store's file name.
    package var storeName: String { manifest.storeName }
    package var made: Timestamp { manifest.made }

    /// The place of a line.
    static func place(ofLine index: Int) -> PlanPlace { .line(index + 2) }
}

extension PlanDocument: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        manifest.write(to: &writer) { body in lines.forEach(body) }
    }
}

extension PlanManifest {
    /// Writes the file: one JSON object a line.
    /// - Parameter forEachLine: hands over the lines between this one and the end.
    func write(to writer: inout JSONWriter, _ forEachLine: ((PlanLine) -> Void) -> Void) {
        write(to: &writer)
        writer.endLine()
        var lines = 2
        forEachLine { line in
            line.write(context, to: &writer)
            writer.endLine()
            lines += 1
        }
        writer.object { writer in
            writer.member("kind", "end")
            writer.member("lines", lines)
        }
    }
}
