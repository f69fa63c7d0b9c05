import CoreDataStore
import Foundation
import MeterModel
import MeterTestSupport
import Testing

@Suite("an object's value")
struct ObjectValueTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let type: AttributeType
        let object: @Sendable () -> Any?
        let value: FieldValue?
    }

    static let cases = [
        Case(testDescription: "nil", type: .string, object: { nil }, value: .null),
        Case(testDescription: "a text", type: .string, object: { "Zoë" as Any }, value: .text("Zoë")),
        Case(
            testDescription: "a date", type: .date, object: { Date(timeIntervalSinceReferenceDate: 0.5) },
            value: .real(0.5)),
        Case(
            testDescription: "a whole date, which SQLite may hold as an integer", type: .date,
            object: { Date(timeIntervalSinceReferenceDate: 7) }, value: .integer(7)),
        Case(
            testDescription: "an identity", type: .uuid,
            object: { UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") },
            value: .blob([0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF])),
        Case(testDescription: "bytes", type: .binary, object: { Data([1, 2]) }, value: .blob([1, 2])),
        Case(
            testDescription: "a link", type: .uri, object: { URL(string: "https://a.b/c") },
            value: .text("https://a.b/c")),
        Case(testDescription: "a whole number", type: .integer16, object: { NSNumber(value: 4) }, value: .integer(4)),
        Case(testDescription: "a switch", type: .boolean, object: { NSNumber(value: true) }, value: .integer(1)),
        Case(testDescription: "a fraction", type: .double, object: { NSNumber(value: 1.0021) }, value: .real(1.0021)),
        Case(
            testDescription: "a decimal", type: .decimal, object: { NSDecimalNumber(string: "2.5") }, value: .real(2.5)),
        Case(
            testDescription: "a number where a text should be", type: .string, object: { NSNumber(value: 4) },
            value: nil),
        Case(testDescription: "a text where a date should be", type: .date, object: { "now" as Any }, value: nil),
        Case(testDescription: "a type that no sample has", type: .transformable, object: { Data() }, value: nil),
    ]

    @Test("is the one that SQLite holds", arguments: cases)
    func value(_ example: Case) {
        #expect(FieldValue(object: example.object(), type: example.type) == example.value)
    }

    @Test("that differs is named with its row and attribute")
    func differences() {
        let left = ReadRecords([1: ["a": .null, "b": .real(2)], 2: [:], 4: ["c": .text("x")]])
        #expect(left.differences(from: left) == [])
        #expect(
            left.differences(from: ReadRecords([1: ["a": .null, "b": .integer(2)], 2: [:], 4: ["c": .text("x")]])) == []
        )
        let right = ReadRecords([1: ["a": .text(""), "b": .real(2)], 3: [:], 4: [:]])
        #expect(
            left.differences(from: right) == [
                "row 1, a: null instead of text(\"\")", "row 2 is new", "row 3 is missing",
                "row 4, c: text(\"x\") instead of no such attribute",
            ])
    }
}
