import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@testable import AppChecks

@Suite("the entitlements that codesign prints")
struct AppPrintedTests {
    /// As codesign prints entitlements.
    private static func printed(_ list: [String: PropertyList]) -> String {
        func lines(_ value: PropertyList, _ indent: String) -> [String] {
            switch value {
            case .string(let text): return ["\(indent)[String] \(text)"]
            case .bool(let flag): return ["\(indent)[Bool] \(flag)"]
            case .array(let elements): return ["\(indent)[Array]"] + elements.flatMap { lines($0, indent + "\t") }
            case .dictionary(let entries):
                return ["\(indent)[Dict]"]
                    + entries.sorted { $0.key < $1.key }.flatMap { key, value in
                        ["\(indent)\t[Key] \(key)", "\(indent)\t[Value]"] + lines(value, indent + "\t\t")
                    }
            default: return []
            }
        }
        return lines(.dictionary(list), "").joined(separator: "\n") + "\n"
    }

    @Test("are what codesign prints, in either form, whatever they are called")
    func printedEntitlements() throws {
        let executable = "Executable=/Applications/USB Meter.app/USB Meter\n"
        let lines = Self.printed(AppFolder.built.merging(["aps-environment": .string("development")]) { $1 })
        let values = AppFolder.built.merging(["aps-environment": .string("development")]) { $1 }
        let list = try PropertyListSerialization.data(
            fromPropertyList: values.mapValues { value -> Any in
                value.string ?? value.array?.compactMap(\.string) ?? (value == .bool(true))
            }, format: .xml, options: 0)
        let blob: [UInt8] = [0xFA, 0xDE, 0x71, 0x71, 0, 0, 0, 9]
        for (bytes, name) in [
            (Array(lines.utf8), "A.entitlements"), (Array((executable + lines).utf8), "out.txt"),
            (Array((executable + lines.replacing("\t", with: "  ")).utf8), "a"),
            (Array(executable.utf8) + list, "B.entitlements"), (blob + list, "C.plist"), (blob + list, "c"),
        ] {
            let folder = try AppFolder()
            try folder.write(bytes, to: name)
            try folder.write(AppFolder.information, to: "Info.plist")
            let check = try folder.check()
            #expect(check.lines == ["warning push-development"], "\(name)")
            #expect(check.gaps == [])
        }
        for text in ["[Dict]\n\t[Key] a", "[Dict]\n\t[Key] a\n\t[Value]\n\t[Key] b", "[Dict]\n\t[String] [Key]"] {
            let folder = try AppFolder()
            try folder.write(text, to: "A.entitlements")
            #expect(try folder.check("A.entitlements").lines == ["error unreadable A.entitlements"], "\(text)")
        }
        let folder = try AppFolder()
        try folder.write(
            "[Dict]\n\t[Key] a\n" + (0..<80).map { String(repeating: " ", count: $0 + 9) + "[Array]\n" }.joined(),
            to: "A.xcent")
        #expect(try folder.check("A.xcent").lines == ["error unreadable A.xcent"])
    }
}
