import CoreDataStore
import MeterInspect
import MeterModel
import Testing

/// Reads a dump from text or bytes as tests need it.
enum Dump {
    static func read(_ text: String, identifier: String? = nil) throws(StoreError) -> KeyValueDump {
        try read(Array(text.utf8), identifier: identifier)
    }

    static func read(_ bytes: [UInt8], identifier: String? = nil) throws(StoreError) -> KeyValueDump {
        try KeyValueDump(.bytes(bytes, name: "dump"), identifier: identifier)
    }

    /// Nil where the dump could be read.
    static func refusal(_ source: KeyValueSource, identifier: String? = nil) -> StoreError? {
        do { _ = try KeyValueDump(source, identifier: identifier) } catch { return error }
        return nil
    }

    static func refusal(_ bytes: [UInt8]) -> StoreError? { refusal(.bytes(bytes, name: "dump")) }

    static func complaint(_ bytes: [UInt8], identifier: String? = nil) -> String? {
        refusal(.bytes(bytes, name: "dump"), identifier: identifier)?.message
    }

    static func complaint(_ text: String, identifier: String? = nil) -> String? {
        complaint(Array(text.utf8), identifier: identifier)
    }

    /// Reads bytes that may be anything: what is read adds up, and what is refused says why.
    static func expectAnswer(to bytes: [UInt8], _ comment: Comment) {
        do {
            let dump = try read(bytes)
            let values = LegacyValues(dump.entries)
            #expect(values.used + values.empty + values.rejects.count == dump.entries.count, comment)
        } catch {
            #expect([.damaged, .unsuitable].contains(error.kind) && !error.message.isEmpty, comment)
        }
    }

    static func name(_ key: String, _ value: DumpValue) -> DumpEntry {
        DumpEntry(dictionary: .meterNames, key: key, value: value)
    }

    static func name(_ key: String, _ name: String) -> DumpEntry { self.name(key, .text(name)) }

    static func unit(_ key: String, _ unit: String) -> DumpEntry {
        DumpEntry(dictionary: .temperatureUnits, key: key, value: .text(unit))
    }
}
