/// What is wrong with a `-journal`: SQLite takes a change that is half made back with it, or does without it and says
/// nothing.
package enum JournalDamage: Sendable {
    /// It begins like no journal.
    case foreign
    /// It has fewer pages than its header says.
    case cutShort
}

extension StoreFiles {
    /// Nil where there is no rollback journal, or none that says anything: the header of one that is done with is emptied,
    /// and before that of another is whole, and counts pages, the main file is not touched.
    /// (https://www.sqlite.org/fileformat2.html#the_rollback_journal)
    package var journalDamage: JournalDamage? {
        guard !header.isWAL, let journal, let bytes = fingerprint.journalHeader,
            bytes.prefix(8).contains(where: { $0 != 0 })
        else { return nil }
        guard bytes.prefix(8).elementsEqual(RollbackJournal.magic.prefix(bytes.count)) else { return .foreign }
        guard bytes.count == StoreFingerprint.journalHeaderSize else { return nil }
        let (pages, sectorSize, pageSize) = (bytes.bigEndian(at: 8), bytes.bigEndian(at: 20), bytes.bigEndian(at: 24))
        // The largest number stands for as many as there are.
        guard pages > 0, pages != .max, journal.size >= sectorSize else { return nil }
        // Of each page also its number and a checksum.
        let size = Int(sectorSize) + Int(pages) * (Int(pageSize) + 8)
        return journal.size < size ? .cutShort : nil
    }
}
