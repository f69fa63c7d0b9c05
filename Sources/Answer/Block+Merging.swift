extension Block {
    /// Several things that become one, property by property.
    package struct Merging: Sendable {
        package struct Source: Hashable, Sendable {
            /// Which it is, and what becomes of it.
            package let name: String
            /// Whether it is the one that is left.
            package let isKept: Bool

            package init(_ name: String, isKept: Bool) {
                self.name = name
                self.isKept = isKept
            }
        }

        package struct Property: Sendable {
            package let name: String
            /// What a page calls it; nil where that is its name.
            package var label: String?
            /// One for each source.
            package let values: [Cell]
            /// The source whose value stays, where they do not all have the same.
            package var taken: Int?
            /// The sources whose value is nowhere afterwards.
            package var lost: Set<Int> = []
            /// What the value becomes, where the source that is left has another one.
            package var becomes: Cell?
            /// Why it becomes that.
            package var reason: String?
            /// Whether it is for machines: it takes room in a picture and tells a person little.
            package var isMinor = false

            package init(_ name: String, _ values: [Cell]) {
                self.name = name
                self.values = values
            }

            /// The value of the source that is left, once more.
            fileprivate func kept(in sources: [Source]) -> Cell {
                guard let place = sources.firstIndex(where: \.isKept), values.indices.contains(place) else { return "" }
                var cell = values[place]
                cell.isFaint = true
                return cell
            }
        }

        package let sources: [Source]
        package private(set) var properties: [Property] = []
        /// Whether it has happened already.
        package var isDone = false
        /// Columns after which a value is cut in a terminal's table, as in `Table`.
        package let widest: Int
        /// Whether the table has what is for machines, too, where nothing of it is lost.
        package let showsMinor: Bool

        package init(_ sources: [Source], widest: Int = .max, showsMinor: Bool = true) {
            self.sources = sources
            self.widest = widest
            self.showsMinor = showsMinor
        }

        package mutating func add(_ property: Property) { properties.append(property) }

        /// Side by side.
        package var table: Table {
            let isChoice = sources.count > 1 || properties.contains { $0.becomes != nil }
            let head =
                [sources.count > 1 ? Cell("kept", isMarked: true) : ""] + sources.map { Cell($0.name) }
                + (isChoice ? ["becomes"] : [])
            let shown = properties.filter { showsMinor || !$0.isMinor || !$0.lost.isEmpty }
            let rows = shown.map { property in
                var values = property.values + [property.becomes].compactMap(\.self)
                if let taken = property.taken { values[taken].isMarked = true }
                if isChoice, property.becomes == nil { values.append(property.kept(in: sources)) }
                if let reason = property.reason { values.append(.remark("(\(reason))")) }
                // Several words of code would be a command.
                return [property.name.contains(" ") ? Cell(property.name) : .code(property.name)] + values
            }
            return Table(head, widest: widest, rows: rows)
        }
    }
}
