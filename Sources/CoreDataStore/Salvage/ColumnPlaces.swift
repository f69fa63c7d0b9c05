internal import Texts

/// What the texts of a column are like that holds no others: an address and a name are both `VARCHAR`, and only the app
/// knows them apart.
package struct ColumnForm: Sendable {
    /// Whether a text is of this form.
    package let matches: @Sendable (String) -> Bool
    /// How odd such texts are in another column: 0 where they are not, 2 where somebody may have typed them. A column out
    /// of order is as odd as 1.
    let oddityElsewhere: Int

    package init(oddElsewhere oddity: Int, _ matches: @escaping @Sendable (String) -> Bool) {
        (oddityElsewhere, self.matches) = (oddity, matches)
    }
}

/// By table and column.
package typealias ColumnForms = [SQLName: [SQLName: ColumnForm]]

/// Which column each value of a row stands in, where a table's own statement is lost.
///
/// Core Data makes a table with its columns in one order, and a migration in place appends new ones to it, in the order of
/// its statements (seen in stores that grew). So the columns of a table that grew are some in Core Data's order and then
/// others in any. Its own order is assumed while no value contradicts it. Else a value is given to a column only where all
/// orders do that explain the values about as well: one that moves a column more may still be the true one.
struct ColumnPlaces {
    /// One for each value of the longest row; nil where the values do not tell, or there is none.
    let columns: [SQLName?]
    /// Columns that are empty in the new table, although values stand in some of them.
    private let untold: [SQLName]
    private let isUsual: Bool

    init(_ rows: [RowImage], of table: StoreSchema.Table, forms: [SQLName: ColumnForm]) {
        let fixed = table.columns.prefix { $0.name.hasPrefix("Z_") }.map(\.name)
        let names = table.columns.dropFirst(fixed.count).map(\.name)
        let evidence = ColumnEvidence(rows, skipping: fixed.count, forms)
        let kinds = table.columns.dropFirst(fixed.count).map { RowShape.Values($0) }
        var search = ColumnSearch(
            columns: names.count, fewest: evidence.fewest,
            oddities: evidence.values.map { values in
                values.count == 0 ? nil : zip(names, kinds).map { values.oddity(in: $0, $1, forms) }
            })
        let found = search.likeliest()
        let order = found.map { $0.count == 1 ? $0.first.map { names[$0] } : nil }
        columns = fixed + order
        isUsual = zip(columns, table.columns).allSatisfy { $0 == nil || $0 == $1.name }
        let isTold = zip(order, evidence.values).allSatisfy { $0 != nil || $1.count == 0 }
        let doubtful = found.reduce(into: Set<Int>()) { if $1.count > 1 { $0.formUnion($1) } }
        untold = isTold ? [] : doubtful.isEmpty ? names : doubtful.sorted().map { names[$0] }
    }

    /// What a person must know of it, as a fragment; nil where there is nothing to say.
    func note(about table: SQLName) -> String? {
        let lost = "the statement of \(table) is lost, and "
        guard untold.isEmpty else {
            return lost + "its values do not tell which column is which, so that these are empty: "
                + untold.map(\.text).joined(separator: ", ")
        }
        return isUsual ? nil : lost + "the order of its columns was worked out from their values"
    }
}

/// What the values of each place are like.
private struct ColumnEvidence {
    struct Values {
        /// Other than NULL.
        fileprivate(set) var count = 0
        /// How many cannot be a column's, by what the column holds.
        fileprivate var misfits: [RowShape.Values: Int] = [:]
        /// How many are of a column's form.
        fileprivate var formed: [SQLName: Int] = [:]

        /// How odd it would be to find them in a column; nil if they cannot be there. A few values that another tool wrote
        /// say nothing about the others.
        func oddity(in column: SQLName, _ kind: RowShape.Values, _ forms: [SQLName: ColumnForm]) -> Int? {
            func isMost(_ number: Int?) -> Bool { 4 * (number ?? 0) >= 3 * count }
            guard isMost(count - (misfits[kind] ?? 0)) else { return nil }
            if forms[column] != nil, isMost(formed[column]) { return 0 }
            let elsewhere = forms.filter { isMost(formed[$0.key]) }.map(\.value.oddityElsewhere)
            return (forms[column] == nil ? 0 : 2) + (elsewhere.max() ?? 0)
        }
    }

    private(set) var values: [Values] = []
    /// The number of values that every row has: what is behind them was appended.
    private(set) var fewest = Int.max

    init(_ rows: [RowImage], skipping fixed: Int, _ forms: [SQLName: ColumnForm]) {
        for row in rows {
            var count = 0
            row.forEachValue { column, value in
                guard column >= fixed else { return }
                count += 1
                if values.count < count { values.append(Values()) }
                if case .null = value { return }
                values[count - 1].count += 1
                for kind in RowShape.Values.allCases where !kind.fits(value) {
                    values[count - 1].misfits[kind, default: 0] += 1
                }
                guard case .text(let bytes) = value else { return }
                let text = String(decoding: bytes, as: UTF8.self)
                for (column, form) in forms where form.matches(text) {
                    values[count - 1].formed[column, default: 0] += 1
                }
            }
            fewest = min(fewest, count)
        }
    }
}

/// The orders that a table's columns can be in: some in the model's order, and behind them others in any.
private struct ColumnSearch {
    /// Of the model.
    let columns: Int
    /// Values of the shortest row.
    let fewest: Int
    /// By place and column; nil for a place that holds only NULL.
    let oddities: [[Int?]?]
    private var taken: Set<Int> = []
    private var order: [Int?] = []
    private var found: [Set<Int>]
    private var steps = 0
    /// The least oddity of a place and all behind it.
    private let atLeast: [Int]

    init(columns: Int, fewest: Int, oddities: [[Int?]?]) {
        (self.columns, self.fewest, self.oddities) = (columns, fewest, oddities)
        found = oddities.map { _ in [] }
        atLeast = oddities.reversed().reduce(into: [0]) { sums, place in
            // Where no column is possible, there is no order.
            sums.append((sums.last ?? 0) + (place.map { $0.compactMap(\.self).min() ?? Self.mostOddity + 1 } ?? 0))
        }.reversed()
    }

    /// For each place the columns that it can be; empty if there is no order, or too many of them to look at.
    mutating func likeliest() -> [Set<Int>] {
        let none = found
        guard oddities.count <= columns else { return none }
        // Behind the shortest row any order is as good as another; before it each column that is not in order is odd.
        if fewest == oddities.count {
            fill(inOrder: fewest, left: 0)
            if found != none { return found }
        }
        var last: Int?
        for oddity in 0...Self.mostOddity where oddity <= last ?? oddity {
            for moved in 0...min(oddity, fewest) { fill(inOrder: fewest - moved, left: oddity - moved) }
            if steps > Self.mostSteps { return none }
            if last == nil, found != none { last = oddity + Self.margin }
        }
        return found
    }

    /// How much odder than the least odd order another one may be, and still be the true one. With less, tables of many
    /// appended columns were read wrongly; with more, hardly a name is told.
    private static let margin = 2
    private static let mostOddity = 64
    /// A table of forty columns has more orders than anybody can wait for.
    private static let mostSteps = 1 << 20

    /// Whether the places in order that hold only NULL have columns left between those of their neighbours.
    private func hasRoom(inOrder: Int) -> Bool {
        var (last, places) = (-1, 0)
        for column in order.prefix(inOrder) + [columns] {
            guard let column else {
                places += 1
                continue
            }
            guard (last + 1..<column).count(where: { !taken.contains($0) }) >= places else { return false }
            (last, places) = (column, 0)
        }
        return true
    }

    /// Fills the next place in every possible way.
    private mutating func fill(from first: Int = 0, inOrder: Int, left: Int) {
        steps += 1
        guard steps <= Self.mostSteps, left >= atLeast[order.count] else { return }
        let place = order.count
        guard place < oddities.count else {
            guard hasRoom(inOrder: inOrder) else { return }
            for (place, column) in order.enumerated() { if let column { found[place].insert(column) } }
            return
        }
        let isInOrder = place < inOrder
        guard let oddities = oddities[place] else {
            // Whichever column it is: what follows in order is behind it.
            guard !isInOrder || first < columns else { return }
            order.append(nil)
            fill(from: first + 1, inOrder: inOrder, left: left)
            order.removeLast()
            return
        }
        for column in (isInOrder ? min(first, columns) : 0)..<columns where !taken.contains(column) {
            guard let oddity = oddities[column] else { continue }
            taken.insert(column)
            order.append(column)
            fill(from: column + 1, inOrder: inOrder, left: left - oddity)
            order.removeLast()
            taken.remove(column)
        }
    }
}
