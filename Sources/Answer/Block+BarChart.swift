extension Block {
    /// Amounts of things that follow one another, a bar each, and in it a part for each kind.
    package struct BarChart: Sendable {
        package struct Bar: Sendable {
            package let label: String
            /// One for each of `kinds`; none is negative.
            package let amounts: [Int]

            package init(_ label: String, _ amounts: [Int]) {
                self.label = label
                self.amounts = amounts
            }

            var total: Int { amounts.reduce(0, +) }
        }

        /// What it shows, in a few words.
        package let title: String
        /// What a bar is: the head of the column of labels, where the amounts are a table.
        package let axis: String
        package let kinds: [String]
        package let bars: [Bar]

        package init(_ title: String, axis: String, kinds: [String], bars: [Bar]) {
            self.title = title
            self.axis = axis
            self.kinds = kinds
            self.bars = bars
        }

        /// The same in numbers, without the bars of nothing.
        var table: Table {
            var table = Table([Cell(axis)] + kinds.map { Cell($0, .number) })
            for bar in bars where bar.total > 0 {
                table.add([Cell(bar.label)] + bar.amounts.map { .number("\($0)") })
            }
            return table
        }

        func total(of kind: Int) -> Int { bars.reduce(0) { $0 + $1.amounts[kind] } }
    }
}
