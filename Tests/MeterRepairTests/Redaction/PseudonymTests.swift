import MeterModel
import Testing

@testable import MeterRepair

@Suite("Replacements")
struct PseudonymTests {
    private let key = RedactionKey.random()

    @Test(
        "a permutation gives each number another place, and every place is taken once", arguments: [1, 2, 3, 10, 777])
    func permutation(count: UInt64) {
        let permutation = KeyedPermutation(of: count, key, .address, tweak: 5)
        #expect(Set((0..<count).map { permutation($0) }) == Set(0..<count))
    }

    @Test(
        "an address keeps its notation, the number of its letters and their case",
        arguments: [
            "AA:BB:CC:DD:EE:FF", "aa:bb:cc:00:11:22", "00:11:22:33:44:55", "a4c1.38aB.CDef", "A4-C1-38-00-00-01",
            "a4c138000002",
        ])
    func notation(text: String) throws {
        let replacement = Pseudonyms(key, keepsMap: false).text(text, in: "")
        let (before, after) = (try #require(MACAddress.parse(text)), try #require(MACAddress.parse(replacement)))
        #expect(before.address != after.address && before.notation == after.notation)
        func outline(_ text: String) -> String {
            String(text.map { $0.isHexDigit ? "0" : $0 })
        }
        #expect(outline(text) == outline(replacement))
        #expect(text.count(where: \.isLetter) == replacement.count(where: \.isLetter))
        #expect(text.count(where: \.isUppercase) == replacement.count(where: \.isUppercase))
    }

    @Test("two spellings of one address become two spellings of one address")
    func spellings() throws {
        let pseudonyms = Pseudonyms(key, keepsMap: false)
        let first = try #require(MACAddress.parse(pseudonyms.text("A4:C1:38:00:0b:01", in: "")))
        let second = try #require(MACAddress.parse(pseudonyms.text(" a4c138000b01 ", in: "")))
        #expect(first.address == second.address && second.notation.isPadded)
    }

    @Test(
        "placeholders, white space, names of device models and hardware types stay",
        arguments: [
            "00:00:00:00:00:00", "ff-ff-ff-ff-ff-ff", "020000000000", "", "  ", "iPad", " MacBook Pro", "iPhone14,2",
            "tc66c", "UM25C ",
        ])
    func kept(text: String) { #expect(Pseudonyms(key, keepsMap: false).text(text, in: "") == text) }

    @Test("a host name stays one", arguments: ["Anas-Mac.local", " büro.LOCAL", "a.local.local"])
    func hosts(text: String) {
        let replacement = Pseudonyms(key, keepsMap: false).text(text, in: "")
        #expect(replacement != text && MachineMadeName(replacement) == .hostName)
        #expect(replacement.hasSuffix(text.suffix(6)) && !replacement.contains("Anas") && !replacement.contains("büro"))
    }

    @Test("a UUID becomes a UUID of the same version in the same letter case, also as bytes")
    func uuid() throws {
        let pseudonyms = Pseudonyms(key, keepsMap: false)
        let text = "0B7C1A42-6E5D-4F00-9A3B-2C1D0E9F8A7B"
        let replacement = pseudonyms.text(text, in: "")
        #expect(replacement != text && replacement.uppercased() == replacement)
        #expect(pseudonyms.text(text.lowercased(), in: "") == replacement.lowercased())
        #expect(replacement.dropFirst(14).first == "4")
        let bytes = try #require(Hexadecimal.bytes(of: text.filter { $0 != "-" }))
        #expect(Hexadecimal.uuidText(of: pseudonyms.blob(bytes, in: "")) == replacement)
    }

    @Test("other text becomes words that only the key and the text decide, with the white space around it")
    func words() {
        let (first, again) = (Pseudonyms(key, keepsMap: false), Pseudonyms(key, keepsMap: true))
        let name = first.text("Kitchen", in: "")
        #expect(again.text("\tKitchen ", in: "") == "\t\(name) ")
        #expect(first.text("kitchen", in: "") != name)
        #expect(Pseudonyms(.random(), keepsMap: false).text("Kitchen", in: "") != name)
        #expect(MachineMadeName(name) == nil && name.wholeMatch(of: /[a-z]{5}(-[a-z]{5}){3}/) != nil)
    }

    @Test("numbers keep sign and length, and different ones stay different")
    func numbers() {
        let pseudonyms = Pseudonyms(key, keepsMap: false)
        let numbers: [Int64] = Array(-30...130) + [.max, .min, 1_000_000_000_000_000_000, -999_999_999_999_999_999]
        let replacements = numbers.map(pseudonyms.integer)
        #expect(Set(replacements).count == Set(numbers).count)
        for (number, other) in zip(numbers, replacements) {
            #expect("\(number)".count == "\(other)".count || number == 0 || other == 0 || abs(number) < 10)
        }
    }

    @Test("short bytes stay different, and all keep their length", arguments: [1, 2, 3, 7, 8, 16, 33, 100])
    func bytes(count: Int) {
        let pseudonyms = Pseudonyms(key, keepsMap: false)
        let all = (0..<256).map { first in [UInt8(first)] + [UInt8](repeating: 7, count: count - 1) }
        let replacements = all.map(pseudonyms.bytes)
        #expect(Set(replacements).count == 256 && replacements.allSatisfy { $0.count == count })
    }

    @Test("dates before the start are moved by whole seconds, later ones stay, and no pair is torn apart")
    func dates() {
        let shift = DateShift(key, now: 1000, inseparable: [900...1000, 850...905, 10...20, 100...200])
        #expect(shift.start == 850 && shift.amount == shift.amount.rounded() && shift.amount >= 2_592_000)
        #expect(shift(850) == 850 && shift(2000) == 2000 && shift(849.25) == 849.25 - shift.amount)
        #expect(DateShift.none(-5) == -5 && DateShift(key, now: 5, inseparable: []).amount == shift.amount)
    }
}
