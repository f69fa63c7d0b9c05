/// Every check, in the order findings are reported.
package enum CheckCatalogue {
    static var checks: [any Check.Type] {
        [
            NotIntact.self,
            DuplicateMAC.self,
            MACMissing.self,
        ]
    }

    package static let descriptions: [CheckDescription] = checks.map { $0.description }
}
