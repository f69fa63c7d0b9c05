internal import JSON

extension FuzzTarget {
    /// JSON.
    static let json = FuzzTarget(
        name: "json", longestInput: 1 << 16, shortRun: 750,
        seeds: {
            [
                #"{"schema": 1, "files": [{"name": "é\n\u00e9\ud83d\udd0c", "size": -0.5e-3}, null, true], "plan": {"a": []}}"#,
                #"{"device":"x","timestamp":1.7976931348623157e308,"expiry":9223372036854775807}"#, "[[[[]]],{},\"\"]",
            ].map { Array($0.utf8) }
        },
        entry: {
            { bytes in
                guard let value = try? JSONValue(parsing: bytes) else { return }
                guard let again = try? JSONValue(parsing: Array(value.text(pretty: false).utf8)), again == value
                else { throw BrokenLaw("JSON is not read back as it was written") }
            }
        })
}
