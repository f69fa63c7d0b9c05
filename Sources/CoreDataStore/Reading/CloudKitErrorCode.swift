/// What the error codes that supporters meet in `ANSCKEVENT` mean.
package enum CloudKitErrorCode {
    /// Nil for a code without an explanation here.
    package static func explanation(of code: Int64, domain: String?) -> String? {
        switch code {
        case 134_060: "the model is not fit for CloudKit, for example because of a uniqueness constraint"
        case 134_301: "the history token expired; the whole sync starts over"
        case 134_400: "no iCloud account on the device"
        case 134_405: "the iCloud account changed; rows on the device are wiped"
        case 134_407: "the store was removed from the coordinator"
        case 134_419: "deferred by the system; harmless"
        default: nil
        }
    }
}
