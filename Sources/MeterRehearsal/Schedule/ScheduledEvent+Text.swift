internal import MeterModel

extension ScheduledEvent {
    /// The event in words.
    func text(_ meters: [Fleet.Meter]) -> String {
        func name(_ meter: Int) -> String { meters[meter].address.text(in: .upper) }
        switch action {
        case .hear(let meter): return "hears \(name(meter))"
        case .connect(let meter): return "connects to \(name(meter))"
        case .disconnect(let meter): return "disconnects from \(name(meter))"
        case .rename(let meter, let text): return "names \(name(meter)) \"\(text)\""
        case .chooseUnit(let meter, let unit): return "chooses \(unit.rawValue) for \(name(meter))"
        case .export: return "begins to upload"
        case .import: return "begins to fetch"
        case .crash: return "the app crashes"
        case .cutNetwork: return "loses the network"
        case .restoreNetwork: return "is back on the network"
        case .throttle(let seconds): return "will be told to retry after \(Int(seconds)) s"
        case .fillQuota: return "the account is full"
        case .relieveQuota: return "the account has room again"
        case .upgrade: return "the app is updated"
        case .repair: return "repairs its store"
        case .settle: return "all devices rest until nothing is left to sync"
        }
    }
}
