import MeterTestSupport
import Testing
import Texts

@Suite struct XMLReaderTests {
    private func tokens(_ text: String) throws(XMLError) -> [XMLToken] {
        var reader = XMLReader(Array(text.utf8))
        var tokens: [XMLToken] = []
        while let token = try reader.next() { tokens.append(token) }
        return tokens
    }

    private func fault(_ text: String) -> String? {
        do {
            _ = try XMLTree(document: Array(text.utf8))
            return nil
        } catch {
            return "\(error.reason), \(TextPosition(of: error.offset, in: Array(text.utf8)))"
        }
    }

    @Test("text, entities and CDATA between two tags are one text")
    func text() throws {
        let tokens = try tokens("<a> x &lt;<!-- no --><![CDATA[<b>]]>&#233;</a>")
        guard case .text(let text) = tokens[1] else {
            Issue.record("no text")
            return
        }
        #expect(text.value == " x <<b>é")
        #expect(!text.isBlank && text.offset == 4)
        #expect(tokens.count == 3 && tokens[2] == .end(name: "a", offset: 42))
    }

    @Test("comments, instructions and a DOCTYPE are skipped")
    func skippedParts() throws {
        let tokens = try tokens("<?xml version='1.0'?><!DOCTYPE plist PUBLIC \"a>\" 'b'><!-- c --><a/>")
        #expect(tokens.count == 1)
        guard case .start(let tag) = tokens[0] else {
            Issue.record("no tag")
            return
        }
        #expect(tag.name == "a" && tag.isEmpty)
    }

    @Test("an element has its attributes, elements and text")
    func elements() throws {
        let text = "<a b='1' c = \"&quot;>\">x<d/><d e=''/>y</a>\n"
        let root = try XMLTree(document: [0xEF, 0xBB, 0xBF] + Array(text.utf8))
        #expect(root.name == "a")
        #expect(root.attributes == ["b": "1", "c": "\">"])
        #expect(root.elements.map(\.name) == ["d", "d"])
        #expect(root.elements.map(\.attributes) == [[:], ["e": ""]])
        #expect(root.text == "xy")
        #expect(root.elements[0].offset == 3 + 24)
    }

    @Test(
        "what is not XML is an error with a place",
        arguments: [
            ("", "no element, line 1, column 1"), ("<a>", "the element <a> does not end, line 1, column 1"),
            ("<a>\n</b>", "</a> is missing, line 2, column 1"), ("</a>", "</a> ends nothing, line 1, column 1"),
            ("<a/><b/>", "a second root element, line 1, column 5"),
            ("<a/>x", "text outside of elements, line 1, column 5"),
            ("<a b/>", "an attribute without a value, line 1, column 4"),
            ("<a b=c/>", "the attribute b without quotes around its value, line 1, column 4"),
            ("<a b='1' b='2'/>", "duplicate attribute b, line 1, column 1"),
            ("<a b='&c;'/>", "an unknown entity, line 1, column 7"),
            ("<a>&c;</a>", "an unknown entity, line 1, column 4"),
            ("<a>&#xD800;</a>", "an unknown entity, line 1, column 4"),
            ("<a b='1", "the element <a> does not end, line 1, column 1"),
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "a DOCTYPE with declarations of its own, line 1, column 1"),
            ("<a><!-- </a>", "a comment that does not end, line 1, column 4"),
            ("<a><![CDATA[ </a>", "a CDATA that does not end, line 1, column 4"),
            ("<a>< b/></a>", "a < that does not begin an element, line 1, column 4"),
        ])
    func notXML(text: String, expected: String) { #expect(fault(text) == expected) }

    @Test("a text that is not UTF-8 is an error")
    func notUTF8() {
        #expect(throws: XMLError("a byte that is not UTF-8", at: 3)) {
            try XMLTree(document: Array("<a>".utf8) + [0xFF] + Array("</a>".utf8))
        }
    }

    @Test("nesting is limited")
    func nesting() {
        #expect(fault(String(repeating: "<a>", count: 64) + String(repeating: "</a>", count: 64)) == nil)
        #expect(
            fault(String(repeating: "<a>", count: 100_000))
                == "more than 64 elements inside each other, line 1, column 193")
        #expect(
            fault("<a>" + String(repeating: "<b/>", count: 1 << 18) + "</a>")?.hasPrefix("more than 262144") == true)
    }

    @Test("random pieces end in a tree, or in an error inside the text")
    func randomText() {
        let pieces = ["<", ">", "/", "a", "=", "'", "\"", "&", ";", "<!--", "-->", "<![CDATA[", "]]>", "<?", " "]
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let text = (0..<12).map { _ in pieces[Int.random(in: pieces.indices, using: &random)] }.joined()
            let fault = #expect(throws: XMLError.self, "\(text)") { try XMLTree(document: Array(text.utf8)) }
            #expect((0...text.utf8.count).contains(fault?.offset ?? -1), "\(text)")
        }
    }
}
