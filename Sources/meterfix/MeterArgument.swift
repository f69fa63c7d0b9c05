internal import ArgumentParser
internal import MeterModel

/// The meter a command is about.
struct MeterArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The meter's address, however it is written.", valueName: "MAC"), transform: address)
    var mac: MACAddress

    private static func address(_ text: String) throws -> MACAddress {
        guard let (address, _) = MACAddress.parse(text) else {
            throw ValidationError("'\(text)' is not an address; write it as A4:C1:38:0B:7E:21")
        }
        return address
    }
}
