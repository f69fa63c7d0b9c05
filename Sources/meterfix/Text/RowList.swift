internal import MeterInspect

/// `row 3`, `rows 3 and 7`, `rows 3, 7 and 9`.
func rowList(_ rows: [Int64]) -> String {
    "\(rows.count > 1 ? "rows" : "row") \(rows.isEmpty ? "–" : Phrase.list(rows.map(String.init)))"
}
