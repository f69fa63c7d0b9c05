import Testing
import Texts

@Suite("what protects a spreadsheet from formulas")
struct FormulaGuardTests {
    /// All texts of up to four of the characters that matter.
    private static let texts: [String] = {
        var (texts, last) = ([""], [""])
        for _ in 0..<4 {
            last = last.flatMap { text in ["'", "=", "-", "\t", "a", "\"", "＋"].map { text + $0 } }
            texts += last
        }
        return texts
    }()

    @Test("can be taken off again, and makes no two texts the same")
    func reversible() {
        #expect(Self.texts.allSatisfy { FormulaGuard.unprotected(FormulaGuard.protected($0)) == $0 })
        #expect(Set(Self.texts.map(FormulaGuard.protected)).count == Self.texts.count)
    }

    @Test("lets nothing begin as a formula does")
    func harmless() {
        #expect(Self.texts.map(FormulaGuard.protected).allSatisfy { !"=+-@＝＋－＠\t\r\n".contains($0.first ?? "a") })
        #expect(FormulaGuard.unprotected("'a") == "'a" && FormulaGuard.unprotected("=1") == "=1")
    }
}
