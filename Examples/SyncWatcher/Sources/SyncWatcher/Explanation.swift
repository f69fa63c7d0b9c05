import CoreDataStore
import Foundation

/// What an error of `NSPersistentCloudKitContainer` means, what happens next, and what to do.
func explanation(of error: NSError) -> String {
    // The text decides between the causes of one code: 134400 has ten.
    let fault = MirrorFault.of(domain: error.domain, code: error.code, text: String(describing: error))
    return explanation(of: fault)
}

func explanation(of fault: MirrorFault) -> String {
    """
    \(fault.id): \(fault.meaning)
    then: \(fault.whatTheMirrorDoes)
    what to do: \(fault.advice)
    """
}

/// A row of the table.
func row(_ fault: MirrorFault) -> String {
    let codes = fault.codes.map(String.init).joined(separator: ", ")
    let place = [fault.domain, codes, fault.name, fault.condition.map { "with \($0)" }].compactMap(\.self)
    return
        "\(fault.rank) \(fault.kind) \(fault.id) (\(fault.mark)): \(place.filter { !$0.isEmpty }.joined(separator: " "))"
}

/// What the last failure in a store means, where only domain and code are known.
func explanation(of error: MirrorError) -> String { explanation(of: error.fault) }
