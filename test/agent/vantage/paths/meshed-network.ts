import {
  batch,
  forwards,
  link,
  linksAreUp,
  mounts,
  up,
  usableAtOnce,
  writing,
} from "../../../support/routed-network.ts";

/*
 * agent 10.0.0.2 – r1 – a – r3 – r4 – target 10.0.8.9, and a router b next to a, with links from r1 to b and r3, from b to r3
 * and from a to b:
 *
 *     r1 10.0.0.1 ── a 10.0.1.2 ── r3 10.0.3.2 ── r4 10.0.7.2
 *      ├─ b 10.0.2.2 ── r3 10.0.4.2      (a 10.0.6.1 ── b 10.0.6.2)
 *      └─ r3 10.0.5.2
 *
 * The same by IPv6, e.g. fd00:3::2.
 */
const links = [
  ["agent", "eth0", "2", "r1", "near", "1"],
  ["r1", "toa", "1", "a", "near", "2"],
  ["r1", "tob", "1", "b", "near", "2"],
  ["a", "far", "1", "r3", "bya", "2"],
  ["b", "far", "1", "r3", "byb", "2"],
  ["r1", "tor", "1", "r3", "byr", "2"],
  ["a", "tob", "1", "b", "toa", "2"],
  ["r3", "far", "1", "r4", "near", "2"],
  ["r4", "far", "1", "target", "eth0", "9"],
] as const;

const routers = ["r1", "a", "b", "r3", "r4"] as const;

/** A router answers with the address at which the packet came: so its name does not change with the way back. */
const answersWhereAsked = "1 > /proc/sys/net/ipv4/icmp_errors_use_inbound_ifaddr";

/**
 * By addresses, protocol and ports, which the kernel's policy for flows would take from the socket of this same machine, and
 * with it a number that is new with each.
 */
const spreadsByFlow = [
  "3 > /proc/sys/net/ipv4/fib_multipath_hash_policy",
  "55 > /proc/sys/net/ipv4/fib_multipath_hash_fields",
];

export const meshLines: readonly string[] = [
  ...mounts,
  batch(
    "ip",
    [...routers, "target"].map((one) => `netns add ${one}`).concat("netns attach agent $$"),
  ),
  ...[...routers, "target"].map((one) => up(one, "lo")),
  ...["agent", "target"].map((one) => writing(one, usableAtOnce)),
  writing("agent", '"0 0" > /proc/sys/net/ipv4/ping_group_range'),
  ...routers.map((one) =>
    writing(one, usableAtOnce, ...forwards, answersWhereAsked, ...spreadsByFlow),
  ),
  batch(
    "ip",
    links.map(([left, leftName, , right, rightName]) => link(left, leftName, right, rightName)),
  ),
  ...links.flatMap(([left, leftName, leftEnd, right, rightName, rightEnd], index) => [
    up(left, leftName, `10.0.${index}.${leftEnd}/24`, `fd00:${index}::${leftEnd}/64`),
    up(right, rightName, `10.0.${index}.${rightEnd}/24`, `fd00:${index}::${rightEnd}/64`),
  ]),
  batch("ip", ["route add default via 10.0.0.1", "route add default via fd00:0::1"]),
  batch("ip -n target", ["route add default via 10.0.8.1", "route add default via fd00:8::1"]),
  linksAreUp("agent", ...routers, "target"),
];

/**
 * A router's route to the target's network (`out`) or to the agent's (`home`), of both families: by an end of a link, e.g.
 * `1.2` is 10.0.1.2 and fd00:1::2, or what it does instead, e.g. `blackhole`.
 */
export function route(router: string, to: "out" | "home", by: string): string {
  const network = to === "out" ? 8 : 0;
  const [link, end] = by.split(".");
  return [
    [`10.0.${network}.0/24`, `10.0.${link}.${end}`],
    [`fd00:${network}::/64`, `fd00:${link}::${end}`],
  ]
    .map(([block, gateway]) =>
      end === undefined
        ? `ip -n ${router} route replace ${by} ${block}`
        : `ip -n ${router} route replace ${block} via ${gateway}`,
    )
    .join(" && ");
}

/** The routes as they are drawn, whatever a scene has made of them. */
export const asDrawn: string = [
  route("r1", "out", "1.2"),
  route("a", "out", "3.2"),
  route("b", "out", "4.2"),
  route("r3", "out", "7.2"),
  route("r3", "home", "3.1"),
  route("a", "home", "1.1"),
  route("b", "home", "2.1"),
  route("r4", "home", "7.1"),
].join(" && ");
