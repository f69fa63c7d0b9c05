internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What `recover` prints.
extension RecoveryReport {
    /// Broken pages that are shown without `--verbose`.
    private static let most = 12

    /// - Parameter showsAll: whether every table and broken page is listed (`--verbose`).
    func blocks(showsAll: Bool) -> [Block] {
        // Empty tables of which nothing is missing are not worth a line.
        let shown = salvage.tables.filter { showsAll || $0.read > 0 || !$0.isWhole || $0.readBySQLite ?? 0 > 0 }
        let empty = salvage.tables.count - shown.count
        return [
            "\(.strong(output)): \(Phrase.size(ofBytes: size)), \(Phrase.count(salvage.read, "row")) of \(store)",
            .paragraph(headline), .table(table(of: shown)),
        ] + (empty == 0 ? [] : [.remark("and \(Phrase.count(empty, "empty table"))")]) + pages(showsAll)
            + .warning("the new store lacks a part of the old one", of: salvage.leftOut) + verified
            + [.list(next.map { Inline($0) }, marker: .arrow)]
    }

    private var headline: Inline {
        if let missingLog { return .tone(.warning, "What was in the -wal is not in the new store: \(missingLog).") }
        if salvage.isIntact, let incompatibility = salvage.incompatibility {
            return .tone(.warning, "Nothing was damaged, but \(incompatibility.message).")
        }
        if salvage.isIntact { return .tone(.good, "Nothing was damaged.") }
        if salvage.isWhole { return .tone(.good, "Every row could be read.") }
        var lacks: [String] = []
        let pages = salvage.broken.count { $0.loss != .nothing }
        if pages > 0 { lacks.append("\(Phrase.count(pages, "page with rows is", "pages with rows are")) broken") }
        if salvage.ambiguous > 0 {
            lacks.append("\(Phrase.count(salvage.ambiguous, "row is", "rows are")) doubtful and left out")
        }
        if salvage.possiblyDeleted > 0 {
            lacks.append("\(Phrase.count(salvage.possiblyDeleted, "row")) may have been deleted")
        }
        return .tone(.warning, "Something is missing\(lacks.isEmpty ? "" : ": " + Phrase.list(lacks)).")
    }

    private func table(of shown: [Salvage.Table]) -> Block.Table {
        // What is wrong with nothing needs no columns of its own.
        let isDamaged = !salvage.isIntact
        let damage: [Block.Cell] = isDamaged ? [.number("doubtful"), .number("pages lost")] : []
        let rows = shown.map { entry in
            var remarks: [String] = []
            if entry.possiblyDeleted > 0 { remarks.append("\(entry.possiblyDeleted) may have been deleted") }
            if entry.rebuiltKeys > 0 { remarks.append("\(entry.rebuiltKeys) more recreated from the model") }
            if entry.isFromModel { remarks.append("columns from the model") }
            let damage = [Block.Cell.number("\(entry.ambiguous)"), .number("\(entry.lostPages)")]
            return [.code(entry.name), .number("\(entry.read)")] + (isDamaged ? damage : []) + [
                .number(entry.readBySQLite.map { "\($0)" } ?? "–"), .remark(remarks.joined(separator: "; ")),
            ]
        }
        return Block.Table(["table", .number("rows")] + damage + [.number("SQLite reads"), ""], rows: rows)
    }

    private func pages(_ showsAll: Bool) -> [Block] {
        let runs = Self.runs(of: salvage.broken)
        var lines = runs.prefix(showsAll ? .max : Self.most).map { run in
            let page = run[0]
            let owner = page.table.map { " of \($0)" } ?? ""
            let place =
                run.count == 1
                ? "page \(page.page)\(owner)" : "pages \(page.page) to \(run[run.count - 1].page)\(owner)"
            switch page.loss {
            case .rows:
                return Inline("\(place): the rows on \(run.count == 1 ? "it" : "them") are lost\(Self.range(of: page))")
            case .someRows: return Inline("\(place): some rows on it are lost\(Self.range(of: page))")
            case .nothing: return Inline("\(place): broken, but no row is lost")
            }
        }
        if runs.count > lines.count { lines.append("and \(runs.count - lines.count) more (--verbose)") }
        if salvage.missingPages > 0 {
            let missing = Phrase.count(salvage.missingPages, "page is", "pages are")
            lines.append("the file ends after page \(salvage.pages): \(missing) missing")
        }
        if salvage.unassignedPages > 0 {
            lines.append("\(Phrase.count(salvage.unassignedPages, "page")) with rows whose table is unknown")
        }
        let problem: [Block] = salvage.problem.map { ["SQLite about the damaged store: \($0)"] } ?? []
        return lines.isEmpty ? problem : problem + [.list(lines, marker: .dash)]
    }

    /// Pages that follow one another, and of which the same is to be said.
    private static func runs(of pages: [Salvage.BrokenPage]) -> [[Salvage.BrokenPage]] {
        var runs: [[Salvage.BrokenPage]] = []
        for page in pages {
            if let last = runs.last?.last, last.page + 1 == page.page, last.loss == page.loss, last.table == page.table,
                last.after == page.after, last.through == page.through, page.loss != .someRows
            {
                runs[runs.count - 1].append(page)
            } else {
                runs.append([page])
            }
        }
        return runs
    }

    private static func range(of page: Salvage.BrokenPage) -> String {
        switch (page.after, page.through) {
        case (nil, nil): ""
        case (let after?, nil): ", numbers above \(after)"
        case (nil, let through?): ", numbers up to \(through)"
        case (let after?, let through?): ", numbers \(after &+ 1) to \(through)"
        }
    }

    private var verified: [Block] {
        switch verification {
        case .refused(let reason): return ["the new store cannot be verified: \(reason)"]
        case .findings(let all):
            // That the new store was recovered is known.
            let findings = all.without([Check.recoveredStore.id])
            guard !findings.isEmpty else {
                return [.paragraph(.tone(.good, "verify finds nothing wrong with the new store."))]
            }
            let lines = findings.byCheck.map { found in
                let check = found[found.startIndex]
                return Inline("\(check.severity.rawValue) \(check.id)\(found.count == 1 ? "" : " (\(found.count))")")
            }
            return ["verify about the new store: \(findings.counts)", .list(lines, marker: .dash)]
        }
    }
}
