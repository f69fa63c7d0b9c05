import Answer
import Testing

/// One answer with every kind of block, on every medium.
@Suite("an answer")
struct RenderedAnswerTests {
    private static var blocks: [Block] {
        let table = Block.Table(
            ["kept", "row 1", "becomes"], widest: 12,
            rows: [
                ["name", Block.Cell("Kitchen charger", isMarked: true), "", .remark("(newest value, row 1)")],
                ["机架", .moment("2026-11-21T12:00:00.000Z"), .number("7 bytes")],
            ])
        return [
            .heading("CKModel.sqlite: 1 error"), .paragraph("to do it: \(.code("meterfix rebuild CKModel.sqlite"))"),
            .section(
                "\(.tone(.error, "error"))  duplicate-mac",
                [
                    .table(table), .remark("… and 3 more"),
                    .list([.code("meterfix rebuild"), "look at it"], marker: .arrow),
                    .section("the steps", [.list(["first", "then <b>"], marker: .number), .code(["+ a", "- `b`"])]),
                ]),
            .group([
                .note(.warning, "a *note*"), .pairs([Block.Pair("key", "one", "two"), Block.Pair("longer", "three")]),
            ]),
            .heading("what remains"), .prose("To be read."),
        ]
    }

    private func page(_ medium: Medium) -> String { medium.page(Self.blocks, title: "meterfix <test>") }

    @Test("in a file of text has lines without an end, and long cells are cut")
    func text() {
        #expect(
            page(.terminal(width: nil, isColored: false)) == """
                CKModel.sqlite: 1 error
                to do it: meterfix rebuild CKModel.sqlite

                error  duplicate-mac
                  kept  row 1           becomes
                  name  Kitchen cha… *           (newest value, row 1)
                  机架  2026-11-21T…    7 bytes
                  … and 3 more
                  → meterfix rebuild
                  → look at it
                  the steps
                    1. first
                    2. then <b>
                    + a
                    - `b`

                a *note*
                  key     one
                          two
                  longer  three

                what remains

                To be read.

                """)
    }

    @Test("on a terminal fits into its width: text and cells wrap, what is to be pasted does not")
    func narrow() {
        #expect(
            page(.terminal(width: 36, isColored: false)) == """
                CKModel.sqlite: 1 error
                to do it:
                  meterfix rebuild CKModel.sqlite

                error  duplicate-mac
                  kept: name
                    row 1: Kitchen charger *
                      (newest value, row 1)
                  kept: 机架
                    row 1:
                      2026-11-21T12:00:00.000Z
                      becomes: 7 bytes
                  … and 3 more
                  → meterfix rebuild
                  → look at it
                  the steps
                    1. first
                    2. then <b>
                    + a
                    - `b`

                a *note*
                  key     one
                          two
                  longer  three

                what remains

                To be read.

                """)
    }

    @Test("keeps within the width however many spaces a text begins with")
    func spaces() {
        let words = "first second third fourth"
        let row: [Block.Cell] = [.text(String(repeating: " ", count: 30) + words), .text(words), .text(words)]
        let text = Medium.terminal(width: 40, isColored: false).page([.table(.init(rows: [row, row]))], title: "")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 40 }, "\(text)")
        #expect(text.matches(of: /fourth/).count == 6)
    }

    @Test("in colours has its emphasis from them")
    func colored() {
        let lines = page(.terminal(width: nil, isColored: true)).split(separator: "\n")
        #expect(lines[0] == "\u{1B}[1mCKModel.sqlite: 1 error\u{1B}[0m")
        #expect(lines[2] == "\u{1B}[1;31merror\u{1B}[0m\u{1B}[1m  duplicate-mac\u{1B}[0m")
        #expect(lines[4] == "  name  \u{1B}[32mKitchen cha… *\u{1B}[0m           (newest value, row 1)")
    }

    @Test("in Markdown has headings, tables, lists and code")
    func markdown() {
        #expect(
            page(.markdown) == """
                ## CKModel.sqlite: 1 error

                to do it: `meterfix rebuild CKModel.sqlite`

                ### error  duplicate-mac

                | kept | row 1 | becomes |  |
                |---|---|---:|---|
                | name | **Kitchen charger** |  | (newest value, row 1) |
                | 机架 | 2026-11-21T12:00:00.000Z | 7 bytes |  |

                … and 3 more

                - `meterfix rebuild`
                - look at it

                #### the steps

                1. first
                2. then &lt;b&gt;

                ```
                + a
                - `b`
                ```

                > **warning:** a \\*note\\*

                |  |  |
                |---|---|
                | key | one |
                |  | two |
                | longer | three |

                ### what remains

                To be read.

                """)
    }

    @Test("in HTML is a part of one page that needs nothing else")
    func html() throws {
        let page = page(.html)
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"))
        #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
        #expect(page.contains("<title>meterfix &lt;test&gt;</title>"))
        #expect(!page.contains("<script") && page.firstMatch(of: /\b(?:src|href)=|url\(|@import/) == nil)
        let body = try #require(page.firstMatch(of: /<main>\n((?:.|\n)*)<\/main>/)).1
        #expect(
            body == """
                <header>meterfix &lt;test&gt;</header>
                <article>
                <h1>CKModel.sqlite: 1 error</h1>
                <p>to do it: <code>meterfix rebuild <span class="whole">CKModel.sqlite</span></code></p>
                <section>
                <h2><span class="error">error</span>  duplicate-mac</h2>
                <div class="table"><table>
                <thead><tr><th scope="col">kept</th><th scope="col">row 1</th><th scope="col">becomes</th><td></td></tr></thead>
                <tbody>
                <tr><td>name</td><td><mark>Kitchen charger</mark></td><td></td><td class="remark">(newest value, row 1)</td></tr>
                <tr><td>机架</td><td class="moment">2026-11-21T12:00:00.000Z</td><td class="number">7 bytes</td><td></td></tr>
                </tbody>
                </table></div>
                <p class="remark">… and 3 more</p>
                <ul class="next">
                <li><code>meterfix rebuild</code></li>
                <li>look at it</li>
                </ul>
                <section>
                <h3>the steps</h3>
                <ol>
                <li>first</li>
                <li>then &lt;b&gt;</li>
                </ol>
                <pre>+ a
                - `b`</pre>
                </section>
                </section>
                <div class="group">
                <p class="banner warning"><b>warning:</b> a *note*</p>
                <dl>
                <dt>key</dt><dd>one</dd><dd>two</dd>
                <dt>longer</dt><dd>three</dd>
                </dl>
                </div>
                <h2>what remains</h2>
                <p class="prose">To be read.</p>
                </article>

                """)
    }
}

extension Medium {
    /// One answer as a whole, with what is before and after it.
    func page(_ blocks: [Block], title: String) -> String {
        var page = beginning(title: title)
        write(blocks) { page += $0 }
        return page + ending
    }
}
