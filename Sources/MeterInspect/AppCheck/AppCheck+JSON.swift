package import JSON
internal import MeterJournal
internal import MeterModel

/// The document of `check-app` in Documentation/json.md.
extension AppCheck: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(
                JSONDocument.head(command: "check-app", store: storePath) + [
                    .init("inputs", .array(inputs.map(JSONValue.string))),
                    .init("platform", JSONValue(platform?.rawValue)),
                    .init("container", .string(container)), .init("findings", .array(findings.map(json))),
                    .init("unknown", .array(unknown.map { .string($0.rawValue) })),
                ])
        }
    }

    private func json(_ finding: AppFinding) -> JSONValue {
        [
            "id": .string(finding.requirement.id), "severity": .string(finding.severity.rawValue),
            "subject": JSONValue(finding.subject), "message": .string(finding.message),
            "cure": .string(finding.requirement.cure),
        ]
    }
}
