import Foundation
import JSON
import MeterModel
import Testing

@Suite("Documentation/json.md")
struct JSONDocumentationTests {
    /// What the page says and no run here shows, by the reason.
    private static let unseen: [String: [String]] = [
        "none of the inputs is of an app for them, or of a folder that is too large": [
            "check-app: platform tvOS", "check-app: platform visionOS", "check-app: notLookedAt[].command null",
        ], "it takes a store with names that no model gives": ["redact: kept array of text"],
        "every refusal of the documents says what to do": ["Errors: error.hint null"],
        "a journal with something in it is one of a killed transaction": ["status: store.bytes.journal"],
        "root may look into every folder; WhereTests has one that is closed": ["where: closed array of text"],
        "no sample is so damaged and yet a store": [
            "status: store.uuid null", "status: model.entities[].rows null", "status: history.authors[].last null",
            "status: cloudMirror.lastEvents[].startedAt null",
        ],
        "it takes a log of a store that has no history": [
            "meters: at.transaction null", "meters: at.time null", "show: at.transaction null", "show: at.time null",
            "status: store.at.transaction null", "status: store.at.time null", "compare: a.at.transaction null",
            "compare: a.at.time null",
        ],
        "it takes a record without a date, or one that is half overwritten, in free space": [
            "lost: values[].seen null", "lost: values[].seen.from null", "lost: values[].certainty possible",
            "lost: values[].command null",
        ],
        "it takes a backup that another fault befell": [
            "undo: moved null", "undo: warnings array of text", "lost: warnings array of text",
        ],
        "it takes a history that has lost who deleted a record": [
            "rebuild, import-kv, migrate, restore-record, unlock, set, fix, delete: revived[].deleted.transaction null",
            "rebuild, import-kv, migrate, restore-record, unlock, set, fix, delete: revived[].deleted.at null",
            "rebuild, import-kv, migrate, restore-record, unlock, set, fix, delete: revived[].deleted.author null",
        ], "only the first side can be a past state": ["compare: b.at object"],
        "a compiled model always has a name": ["verify: model.version null"],
    ]

    private static let shapes = Result { try JSONDocuments.all.get().mapValues { JSONShape($0) } }

    private static func shape(of kind: JSONDocuments.Kind) throws -> JSONShape {
        try #require(try shapes.get()[kind])
    }

    /// What a run shows of the shared objects, whichever kind of document it is in: `Finding.mac absent`.
    private static let sharedClaims: Result<Set<String>, any Error> = Result {
        let json = try JSONPage.current.get()
        var claims: Set<String> = []
        for (kind, shape) in try shapes.get() {
            for row in json.rows(of: kind.heading) {
                guard let origin = row.origin else { continue }
                for path in row.paths {
                    guard let values = shape.values[path] else { continue }
                    claims.insert("\(origin) is there")
                    let (seen, _) = Self.seen(of: row, path, values, shape)
                    let shown = seen.union(row.words.intersection(values.texts))
                    claims.formUnion(shown.map { "\(origin) \($0)" })
                }
            }
        }
        return claims
    }

    @Test("has a section for every kind of document, and no other")
    func sections() throws {
        let kinds = try JSONPage.current.get().kinds
        let found = try JSONDocuments.all.get().keys.map(\.heading)
        #expect(Set(found).subtracting(kinds) == [], "not on the page")
        #expect(Set(kinds).subtracting(found) == [], "only on the page")
        #expect(kinds.count == found.count)
    }

    @Test("says of a document which keys it has, in which order, with which values", arguments: JSONDocuments.Kind.all)
    func keys(_ kind: JSONDocuments.Kind) throws {
        let shape = try Self.shape(of: kind)
        let rows = try JSONPage.current.get().rows(of: kind.heading)
        let said = rows.flatMap(\.paths)
        #expect(Set(said).count == said.count, "a path stands on the page twice")
        #expect(Set(shape.values.keys).subtracting(said).sorted() == [], "not on the page")
        for row in rows {
            for path in row.paths {
                let complaints = try Self.complaints(row, path, shape, kind)
                #expect(complaints == [])
            }
        }
        for (path, sequences) in shape.sequences {
            let order = said.filter { JSONShape.split($0).parent == path }.map { JSONShape.split($0).key }
            for keys in sequences where !keys.contains(where: { JSONShape.isPlaceholder("." + $0) }) {
                #expect(order.filter(keys.contains) == keys, "the order of the keys of '\(path)'")
            }
        }
    }

    private static func isUnseen(_ claim: String) -> Bool { unseen.values.contains { $0.contains(claim) } }

    /// What the documents show of what a row says of a path, and the types that it does not say.
    private static func seen(
        of row: JSONPage.Row, _ path: String, _ values: JSONShape.Values, _ shape: JSONShape
    ) -> (types: Set<String>, unsaid: [String]) {
        var unsaid: [String] = []
        var seen: Set<String> = []
        for type in values.types {
            let fitting = row.types(for: type, values.texts)
            if fitting.isEmpty { unsaid.append(type) }
            // An empty array shows nothing of its elements.
            seen.formUnion(type == "array" ? fitting.filter { $0 == "array" } : fitting)
        }
        if isAbsent(path, values, shape) { seen.insert("absent") }
        return (seen, unsaid)
    }

    private static func isAbsent(_ path: String, _ values: JSONShape.Values, _ shape: JSONShape) -> Bool {
        !JSONShape.isPlaceholder(path) && values.count < shape.objects[JSONShape.split(path).parent, default: 0]
    }

    /// What is wrong with a row of the page.
    private static func complaints(
        _ row: JSONPage.Row, _ path: String, _ shape: JSONShape, _ kind: JSONDocuments.Kind
    ) throws -> [String] {
        let shared = try sharedClaims.get()
        func isShown(_ claim: String) -> Bool { row.origin.map { shared.contains("\($0) \(claim)") } ?? false }
        guard let values = shape.values[path] else {
            return isUnseen("\(kind.heading): \(path)") || isShown("is there") ? [] : ["\(path) is in no document"]
        }
        let (seen, unsaid) = Self.seen(of: row, path, values, shape)
        var complaints = unsaid.map { "\(path) is \($0): \(values.texts.sorted().prefix(3))" }
        if isAbsent(path, values, shape), !row.types.contains("absent") { complaints.append("\(path) can be absent") }
        let claims = row.types.filter { !seen.contains($0) } + row.words.subtracting(values.texts).sorted()
        for claim in claims where !isUnseen("\(kind.heading): \(path) \(claim)") && !isShown(claim) {
            complaints.append("\(path) is never \(claim)")
        }
        return complaints
    }

    @Test("is shown in full but for what is listed here")
    func unseenClaims() throws {
        for claim in Self.unseen.values.joined() {
            let kind = try #require(JSONDocuments.Kind.all.first { claim.hasPrefix($0.heading + ": ") })
            let words = claim.dropFirst(kind.heading.count + 2).split(separator: " ", maxSplits: 1).map(String.init)
            let row = try JSONPage.current.get().rows(of: kind.heading).first { $0.paths.contains(words[0]) }
            let values = try Self.shape(of: kind).values[words[0]]
            // A claim that came to be shown, or that the page does not make, is no exception.
            if words.count == 1 {
                #expect(row != nil && values == nil, "\(claim)")
            } else {
                #expect(row?.types.contains(words[1]) == true || row?.words.contains(words[1]) == true, "\(claim)")
                #expect(values?.types.contains(words[1]) != true, "\(claim)")
                #expect(values?.texts.contains(words[1]) != true, "\(claim)")
            }
        }
    }

    @Test("has every word of the enumerations")
    func enumerations() throws {
        for (kind, path, words) in [
            (.change, "changes[].fields[].rule", SurvivorshipRule.allCases.map(\.rawValue)),
            (.change, "rejects[].reason", RejectReason.allCases.map(\.rawValue)),
            (.change, "rejects[].dictionary", LegacyDictionary.allCases.map(\.rawValue)),
            (.verify, "findings[].severity", Severity.allCases.map(\.rawValue)),
        ] as [(JSONDocuments.Kind, String, [String])] {
            let row = try JSONPage.current.get().rows(of: kind.heading).first { $0.paths.contains(path) }
            #expect(row?.words == Set(words), "\(path)")
        }
    }
}
