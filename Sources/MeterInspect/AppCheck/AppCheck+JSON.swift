package import JSON
internal import MeterJournal
internal import MeterModel

/// The document of `check-app` in Documentation/json.md.
extension AppCheck: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "check-app", store: storePath))
            writer.member("inputs", inputs)
            writer.member("platform", platform?.rawValue)
            writer.member("container", container)
            writer.member("findings", findings.map(json))
            writer.member("unknown", unknown.map(\.rawValue))
        }
    }

    private func json(_ finding: AppFinding) -> JSONValue {
        [
            "id": finding.requirement.id, "severity": finding.severity.rawValue, "subject": finding.subject,
            "message": finding.message, "cure": finding.requirement.cure,
        ]
    }
}
