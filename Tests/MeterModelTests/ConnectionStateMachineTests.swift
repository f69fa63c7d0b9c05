import MeterModel
import Testing

@Suite("the states of a connection")
struct ConnectionStateMachineTests {
    typealias Event = ConnectionStateMachine.Event

    private static func moment(_ seconds: Double) -> Timestamp { Timestamp(secondsSince2001: seconds) }

    /// What leads from `offline` to each state.
    private static let ways: [ConnectionStateMachine.State: [Event]] = {
        let way: [Event] = [
            .heard, .connectionRequested, .connectionMade, .servicesFound, .requestSent, .answerReceived,
        ]
        return Dictionary(
            uniqueKeysWithValues: zip(ConnectionStateMachine.State.allCases, 0...way.count).map {
                ($0, Array(way.prefix($1)))
            })
    }()

    private static func life(in state: ConnectionStateMachine.State, at seconds: Double = 0) throws
        -> ConnectionStateMachine
    {
        var life = ConnectionStateMachine()
        for event in ways[state]! { _ = try life.handle(event, at: moment(seconds)) }
        #expect(life.state == state)
        return life
    }

    @Test("publishes the lock when the meter's services are known, and writes nothing on the way to its data")
    func publishes() throws {
        var life = ConnectionStateMachine()
        var effects: [ConnectionStateMachine.Effect?] = []
        for event in Self.ways[.dataAvailable]! { effects.append(try life.handle(event, at: Self.moment(5))) }
        #expect(effects == [.recordDiscovery, nil, nil, .publish, nil, nil])
        #expect(life.state == .dataAvailable)
    }

    @Test("renews every 60 s once it has published, whatever happens then")
    func renews() throws {
        for state in ConnectionStateMachine.State.allCases where state >= .ready {
            var life = try Self.life(in: state, at: 1_000)
            #expect(try life.handle(.tick, at: Self.moment(1_059.5)) == nil)
            #expect(try life.handle(.tick, at: Self.moment(1_060)) == .renew)
            #expect(try life.handle(.tick, at: Self.moment(1_119)) == nil)
            #expect(try life.handle(.tick, at: Self.moment(1_120)) == .renew)
        }
        var life = try Self.life(in: .communicating, at: 1_000)
        #expect(try life.handle(.answerReceived, at: Self.moment(1_070)) == .renew)
        #expect(try life.handle(.requestSent, at: Self.moment(1_071)) == nil)
    }

    @Test("renews after the clock was set back")
    func clockSetBack() throws {
        var life = try Self.life(in: .ready, at: 1_000)
        #expect(try life.handle(.tick, at: Self.moment(400)) == .renew)
        #expect(try life.handle(.tick, at: Self.moment(430)) == nil)
    }

    @Test(
        "does not renew what it never published",
        arguments: ConnectionStateMachine.State.allCases.filter { $0 < .ready })
    func nothingToRenew(state: ConnectionStateMachine.State) throws {
        var life = try Self.life(in: state)
        #expect(try life.handle(.tick, at: Self.moment(10_000)) == nil)
        #expect(life.state == state)
    }

    @Test("clears the lock on every way back from a connection, once", arguments: [Event.disconnected, .lost])
    func clears(event: Event) throws {
        for state in ConnectionStateMachine.State.allCases where state >= .ready {
            var life = try Self.life(in: state)
            #expect(try life.handle(event, at: Self.moment(30)) == .clear)
            #expect(life.state == (event == .lost ? .offline : .peripheralNotConnected))
            #expect(try life.handle(.tick, at: Self.moment(500)) == nil)
        }
        for state in [ConnectionStateMachine.State.connectionPending, .connected] {
            var life = try Self.life(in: state)
            #expect(try life.handle(event, at: Self.moment(30)) == nil, "nothing was published yet")
        }
    }

    /// Every pair that is not listed must throw and leave the state.
    @Test("refuses every other transition and keeps its state", arguments: ConnectionStateMachine.State.allCases)
    func illegal(state: ConnectionStateMachine.State) throws {
        let legal: [ConnectionStateMachine.State: Set<Event>] = [
            .offline: [.heard, .tick],
            .peripheralNotConnected: [.heard, .connectionRequested, .tick, .lost],
            .connectionPending: [.connectionMade, .tick, .disconnected, .lost],
            .connected: [.servicesFound, .tick, .disconnected, .lost],
            .ready: [.requestSent, .tick, .disconnected, .lost],
            .communicating: [.answerReceived, .tick, .disconnected, .lost],
            .dataAvailable: [.requestSent, .tick, .disconnected, .lost],
        ]
        for event in Event.allCases {
            var life = try Self.life(in: state)
            let before = life
            if legal[state]!.contains(event) {
                _ = try life.handle(event, at: Self.moment(1))
            } else {
                let error = #expect(throws: ConnectionStateMachine.IllegalTransition.self) {
                    _ = try life.handle(event, at: Self.moment(1))
                }
                #expect(error?.state == state)
                #expect(error?.event == event)
                #expect(life == before)
            }
        }
    }
}

@Suite("the throttle of discoveries")
struct DiscoveryThrottleTests {
    @Test("admits one write in 120 s of each meter, and the next at once after a disconnect")
    func admits() {
        var throttle = DiscoveryThrottle<String>()
        func moment(_ seconds: Double) -> Timestamp { Timestamp(secondsSince2001: seconds) }
        var answers: [Bool] = []
        for (meter, seconds) in [("a", 0), ("a", 119.9), ("b", 119.9), ("a", 120), ("a", 130)] {
            answers.append(throttle.admits(meter, at: moment(seconds)))
        }
        #expect(answers == [true, false, true, true, false])
        throttle.reset("a")
        let afterReset = throttle.admits("a", at: moment(131))
        let afterClockWasSetBack = throttle.admits("a", at: moment(50))
        #expect(afterReset && afterClockWasSetBack)
    }

    @Test(
        "a device's name is never a platform or its model",
        arguments: ["iPad", " MacBook Pro ", "iPhone14,2", "", "\t"])
    func names(name: String) { #expect(AppDevice(id: "1", name: name) == nil) }

    @Test(
        "a device's name is kept without the white space around it",
        arguments: [" Ana's iPhone", "Ana's iPhone\n", "\u{A0}Ana's iPhone\u{2003}"])
    func trimmed(name: String) { #expect(AppDevice(id: "1", name: name)?.name == "Ana's iPhone") }

    @Test("a host's name is a device's name")
    func hostName() { #expect(AppDevice(id: "1", name: "Bogdans-iPad.local")?.name == "Bogdans-iPad.local") }
}
