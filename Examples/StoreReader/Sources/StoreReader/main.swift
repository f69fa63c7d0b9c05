// StoreReader STORE [MODEL]: prints what a Core Data store of any app holds, and leaves no trace beside it. With MODEL,
// a .momd, .mom, .xcdatamodeld or .xcdatamodel, it says whether Core Data would open the store with it.

import CoreDataStore
import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first else {
    print("usage: StoreReader STORE [MODEL]")
    exit(64)
}

func modelFile() throws(StoreError) -> ModelFile? {
    guard let path = arguments.dropFirst().first else { return nil }
    return try ModelFile.read(path)
}

do throws(StoreError) {
    var store = try StoreSnapshot(of: path)
    let file = try modelFile()
    // A very old store carries no model; then the app's says what its columns mean.
    if store.model == nil, let file { store = try StoreSnapshot(of: path, model: file.model) }
    print("store \(store.uuid ?? "without an identity")")
    try printEntities(of: store)
    try printHistory(of: store)
    try printMirror(of: store)
    try printPast(of: store)
    if let file { printFit(of: file, for: store) }
} catch {
    print("\(error.path): \(error.message)")
    if let hint = error.hint { print("hint: \(hint)") }
    exit(error.kind == .notFound ? 66 : 1)
}
