/// `1 record`, `2 records`.
func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
}

/// `row 3`, `rows 3 and 7`, `rows 3, 7 and 9`.
func rowList(_ rows: [Int64]) -> String {
    let names = rows.map(String.init)
    guard let last = names.last, names.count > 1 else { return "row \(names.first ?? "–")" }
    return "rows \(names.dropLast().joined(separator: ", ")) and \(last)"
}
