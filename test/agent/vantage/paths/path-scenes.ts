import { within } from "../../../support/routed-network.ts";
import { asDrawn, route } from "./meshed-network.ts";

/** What happens to a path, and what may be said of a failure right after it. */
export interface PathScene {
  readonly name: string;
  readonly protocol?: "tcp" | "udp" | "icmp";
  readonly family?: 4 | 6;
  /** Before the path is learned, between its first trace and its second, and behind its last. */
  readonly before?: readonly string[];
  readonly between?: readonly string[];
  readonly change: readonly string[];
  /** What makes the next scene's network as drawn, in addition to the routes. */
  readonly undo?: readonly string[];
  readonly failure?: "unanswered" | "stalled";
  /** Whether a trace comes between the change and the failure. */
  readonly isTraced?: boolean;
  /** Between that trace and the failure. */
  readonly afterTrace?: readonly string[];
  /** Traces before; two unless a scene says otherwise. */
  readonly traces?: number;
  /** kind, hop, who is gone and who is there; null if nothing may be said. */
  readonly said: string | null;
}

const drop = (router: string, rule: string): string =>
  within(router, `iptables -A ${rule} -j DROP`);
const noAnswers = (router: string): string =>
  drop(router, "OUTPUT -p icmp --icmp-type time-exceeded");
/** Passes nothing on, and answers for itself. */
const stops = (router: string): string =>
  `${drop(router, "FORWARD")} && ${within(router, "ip6tables -A FORWARD -j DROP")}`;
/** Takes nothing in. */
export const dead = (router: string): string =>
  ["iptables", "ip6tables"]
    .map((one) => within(router, `${one} -t mangle -A PREROUTING -j DROP`))
    .join(" && ");
export const well = (router: string): string =>
  ["iptables", "iptables -t mangle", "ip6tables", "ip6tables -t mangle"]
    .map((one) => within(router, `${one} -F`))
    .join(" && ");
/** Answers with the address by which it sends, so that it has one name however packets come to it. */
const oneName = (router: string): string =>
  within(router, "sh -c 'echo 0 > /proc/sys/net/ipv4/icmp_errors_use_inbound_ifaddr'");
const manyNames = (router: string): string =>
  within(router, "sh -c 'echo 1 > /proc/sys/net/ipv4/icmp_errors_use_inbound_ifaddr'");
const byB = route("r1", "out", "2.2");
/** The share of all packets of the agent, and of their answers, that the first router loses. */
export const lossy = (share: number): string =>
  within(
    "r1",
    `iptables -t mangle -A PREROUTING -m statistic --mode random --probability ${share} -j DROP`,
  );
/** Packet by packet, whatever they have in common. */
export const inTurns: readonly string[] = [
  within(
    "r1",
    "iptables -t mangle -A PREROUTING -i near -m statistic --mode nth --every 2 --packet 0 -j MARK --set-mark 2",
  ),
  "ip -n r1 rule add fwmark 2 table 2",
  "ip -n r1 route replace 10.0.8.0/24 via 10.0.2.2 table 2",
];
export const notInTurns: readonly string[] = [
  within("r1", "iptables -t mangle -F"),
  "ip -n r1 rule del fwmark 2 table 2",
];
export const equalCost: string =
  "ip -n r1 route replace 10.0.8.0/24 nexthop via 10.0.1.2 nexthop via 10.0.2.2";

const replacedByDeaf = { change: [byB, stops("b")], undo: [well("b")] } as const;
const stopsAtA = { change: [stops("a")], undo: [well("a")] } as const;

const named: readonly PathScene[] = [
  {
    name: "a router that was replaced by one that passes nothing on",
    ...replacedByDeaf,
    said: "replaced 2 10.0.1.2 10.0.2.2",
  },
  {
    name: "such a router, by IPv6",
    family: 6,
    ...replacedByDeaf,
    said: "replaced 2 fd00:1::2 fd00:2::2",
  },
  {
    name: "such a router, for questions by UDP",
    protocol: "udp",
    ...replacedByDeaf,
    said: "replaced 2 10.0.1.2 10.0.2.2",
  },
  {
    name: "such a router, for echo requests",
    protocol: "icmp",
    ...replacedByDeaf,
    said: "replaced 2 10.0.1.2 10.0.2.2",
  },
  {
    name: "the second hop that vanishes",
    change: [dead("a")],
    undo: [well("a")],
    said: "ended 2 10.0.1.2 10.0.0.1",
  },
  {
    name: "the third hop that vanishes",
    change: [dead("r3")],
    undo: [well("r3")],
    said: "ended 3 10.0.3.2 10.0.1.2",
  },
  {
    name: "the last hop that vanishes with its target",
    change: [dead("r4")],
    undo: [well("r4")],
    said: "ended 4 10.0.7.2 10.0.3.2",
  },
  {
    name: "a hop that vanishes from a path by IPv6",
    family: 6,
    change: [dead("r3")],
    undo: [well("r3")],
    said: "ended 3 fd00:3::2 fd00:1::2",
  },
  {
    name: "a router that passes nothing on any more",
    ...stopsAtA,
    said: "ended 3 10.0.3.2 10.0.1.2",
  },
  {
    name: "such a router, for questions by UDP",
    protocol: "udp",
    ...stopsAtA,
    said: "ended 3 10.0.3.2 10.0.1.2",
  },
  {
    name: "such a router, for echo requests",
    protocol: "icmp",
    ...stopsAtA,
    said: "ended 3 10.0.3.2 10.0.1.2",
  },
  {
    name: "a router that has no route any more, and says so",
    change: [route("a", "out", "unreachable")],
    said: "ended 3 10.0.3.2 10.0.1.2",
  },
  {
    name: "a router that forbids what it passed on",
    change: [route("r3", "out", "prohibit")],
    said: "ended 4 10.0.7.2 10.0.3.2",
  },
  {
    name: "two routers that send packets round",
    change: [route("a", "out", "1.1")],
    said: "circle 2 10.0.1.1 10.0.1.2",
  },
  {
    name: "two routers further out that send packets round",
    change: [route("a", "out", "6.2"), route("b", "out", "6.1")],
    said: "circle 3 10.0.6.1 10.0.6.2",
  },
  {
    name: "a router that is new on the path of a connection that stalled",
    before: [oneName("r3")],
    change: [route("a", "out", "6.2")],
    undo: [manyNames("r3")],
    failure: "stalled",
    said: "gained 3 null 10.0.6.2",
  },
  {
    name: "a router that is gone from the path of a connection that stalled",
    before: [oneName("r3")],
    change: [route("r1", "out", "5.2")],
    undo: [manyNames("r3")],
    failure: "stalled",
    said: "lost 2 10.0.1.2 10.0.3.2",
  },
  {
    name: "another router on the path of a connection that stalled",
    change: [byB],
    failure: "stalled",
    said: "replaced 2 10.0.1.2 10.0.2.2",
  },
  {
    name: "the end of a path on which a hop never answers",
    before: [noAnswers("a")],
    change: [dead("r4")],
    undo: [well("a"), well("r4")],
    said: "ended 4 10.0.7.2 10.0.3.2",
  },
  {
    name: "the end of a path behind hops that never answer, as in MPLS",
    before: [noAnswers("a"), noAnswers("r3")],
    change: [dead("r4")],
    undo: [well("a"), well("r3"), well("r4")],
    said: "ended 4 10.0.7.2 10.0.0.1",
  },
  {
    name: "the end of a path whose answers take another way",
    before: [route("r3", "home", "4.1")],
    change: [stops("a")],
    undo: [well("a")],
    said: "ended 3 10.0.3.2 10.0.1.2",
  },
  {
    name: "answers that are lost on their way back: from which hop on, not why",
    change: [within("a", "iptables -A FORWARD -d 10.0.0.0/24 -j DROP")],
    undo: [well("a")],
    said: "ended 3 10.0.3.2 10.0.1.2",
  },
  {
    name: "the end of a path of equal cost",
    before: [equalCost, oneName("r3")],
    change: [dead("r4")],
    undo: [well("r4"), manyNames("r3")],
    said: "ended 4 10.0.7.2 10.0.3.2",
  },
  {
    name: "a router that a trace saw replaced before the failure",
    ...replacedByDeaf,
    isTraced: true,
    said: "replaced 2 10.0.1.2 10.0.2.2",
  },
];

const down = { change: [dead("target")], undo: [well("target")] } as const;

const silent: readonly PathScene[] = [
  { name: "a target that is down", ...down, said: null },
  { name: "a target that is down, by IPv6", family: 6, ...down, said: null },
  { name: "a name server that is down", protocol: "udp", ...down, said: null },
  {
    name: "a host that does not answer echo requests any more",
    protocol: "icmp",
    ...down,
    said: null,
  },
  {
    name: "a hop that stops answering, and a target that is down",
    change: [noAnswers("a"), dead("target")],
    undo: [well("a"), well("target")],
    said: null,
  },
  {
    name: "two hops that stop answering, and a target that is down",
    change: [noAnswers("a"), noAnswers("r3"), dead("target")],
    undo: [well("a"), well("r3"), well("target")],
    said: null,
  },
  {
    name: "hops that never answer, as in MPLS, and a target that is down",
    before: [noAnswers("a"), noAnswers("r3")],
    change: [dead("target")],
    undo: [well("a"), well("r3"), well("target")],
    said: null,
  },
  {
    name: "a hop that was replaced by one that works, and a target that is down",
    ...down,
    change: [byB, dead("target")],
    said: null,
  },
  {
    name: "equal-cost paths of which the flow keeps one",
    before: [equalCost],
    ...down,
    said: null,
  },
  {
    name: "routers that take turns packet by packet",
    before: inTurns,
    change: [dead("target")],
    undo: [...notInTurns, well("target")],
    traces: 4,
    said: null,
  },
  { name: "a path that flaps between two", between: [byB], ...down, traces: 4, said: null },
  {
    name: "answers that take another way than before",
    change: [route("r3", "home", "4.1"), dead("target")],
    undo: [well("target")],
    said: null,
  },
  {
    name: "a path that loses every twentieth packet",
    before: [lossy(0.05)],
    change: [dead("target")],
    undo: [well("r1"), well("target")],
    said: null,
  },
  {
    name: "an outage that a trace saw, and that was over when the target failed",
    ...stopsAtA,
    isTraced: true,
    afterTrace: [well("a"), dead("target")],
    undo: [well("target")],
    said: null,
  },
  {
    name: "a circle that a trace saw, and that was over when the target failed",
    change: [route("a", "out", "1.1")],
    isTraced: true,
    afterTrace: [asDrawn, dead("target")],
    undo: [well("target")],
    said: null,
  },
  {
    name: "a router that a trace saw replaced, and that was back when a connection stalled",
    change: [byB],
    isTraced: true,
    afterTrace: [asDrawn, dead("target")],
    undo: [well("target")],
    failure: "stalled",
    said: null,
  },
  {
    name: "a gateway that is silent with all behind it",
    change: [dead("r1")],
    undo: [well("r1")],
    said: null,
  },
  { name: "a path that was traced only once", traces: 1, ...stopsAtA, said: null },
  {
    name: "routers that do not answer any more, on the path of a connection that stalled",
    change: ["r1", "a", "r3", "r4"].map(noAnswers),
    undo: ["r1", "a", "r3", "r4"].map(well),
    failure: "stalled",
    said: null,
  },
];

export const pathScenes: readonly PathScene[] = [...named, ...silent];
