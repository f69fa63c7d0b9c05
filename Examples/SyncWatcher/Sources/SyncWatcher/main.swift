import CoreDataStore
import Foundation

// What an app does in `SyncEvents`, for a command line: SyncWatcher DOMAIN CODE [TEXT], or the table.
let words = Array(CommandLine.arguments.dropFirst())
switch words.count {
case 1 where words[0] == "table":
    for fault in MirrorFault.all where fault.kind != .noise { print(row(fault)) }
case 2...3:
    guard let code = Int(words[1]) else { exit(64) }
    let text = words.count > 2 ? [NSLocalizedDescriptionKey: words[2]] : [:]
    print(explanation(of: NSError(domain: words[0], code: code, userInfo: text)))
default:
    print("usage: SyncWatcher DOMAIN CODE [TEXT]\n       SyncWatcher table")
    exit(64)
}
