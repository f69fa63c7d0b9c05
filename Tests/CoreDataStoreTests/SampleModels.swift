import CoreDataStore
import Testing

/// A model that uses everything a model can have.
let fullModel: ManagedObjectModel = {
    var address = Attribute("address", .string, isOptional: false)
    address.traits.versionHashModifier = "2"
    var photo = Attribute("photo", .binary)
    photo.usesExternalStorage = true
    photo.preservesValueAfterDeletion = true
    var cached = Attribute("cached", .integer64)
    cached.traits.isTransient = true
    cached.traits.isReadOnly = true
    var readings = Relationship("readings", to: "Reading", inverse: "meter", maxCount: 0)
    readings.isOrdered = true
    readings.minCount = 1
    var neighbours = Relationship("neighbours", to: "Meter", inverse: "neighbours", maxCount: .max)
    neighbours.traits.isOptional = false
    var meter = Entity(
        "Meter", attributes: [address, cached, Attribute("name", .string), photo],
        relationships: [neighbours, readings], uniquenessConstraints: [["address"], ["name", "address"]])
    meter.isAbstract = true
    meter.versionHashModifier = "v2"
    let gas = Entity("GasMeter", superentity: "Meter", attributes: [Attribute("pressure", .double)])
    let reading = Entity(
        "Reading", attributes: [Attribute("value", .decimal)],
        relationships: [Relationship("meter", to: "Meter", inverse: "readings")])
    return ManagedObjectModel(entities: [meter, gas, reading], versionIdentifiers: ["1.2"])
}()

/// An archive with other objects.
func rewriting(_ archive: [UInt8], _ change: (inout [PropertyList]) throws -> Void) throws -> [UInt8] {
    var top = try #require(PropertyList(binary: archive).dictionary)
    var objects = try #require(top["$objects"]?.array)
    try change(&objects)
    top["$objects"] = .array(objects)
    return PropertyList.dictionary(top).binaryPropertyList()
}

/// The error that something ends with; nil where it ends well.
func failure<Failure>(_ body: () throws(Failure) -> Void) -> Failure? {
    do {
        try body()
        return nil
    } catch {
        return error
    }
}
