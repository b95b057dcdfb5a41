import type { CommandEnd } from "./run-command.ts";
import { inOwnNetwork } from "./own-network.ts";

/**
 * Four networks in a row, made for one test: agent 10.0.0.2 – router 10.0.0.1 – router 10.0.1.2 – target 10.0.2.9. In the
 * target's network, `target` runs as a module; it calls `ready()` once it serves. Then come the lines of `breakIt`, and
 * `module` runs in the agent's network, as user 65532 without a capability: what an agent is in its container. Rejects
 * where a line or the module fails, with its reason first.
 */
export async function behindRouters(
  scene: Partial<RoutedScene>,
  module: string,
): Promise<CommandEnd> {
  const end = await inOwnNetwork([...sceneLines(scene), asAgent], module);
  if (end.code === 0) return end;
  const [reason = "the scene failed"] = /^\w*Error: .*$/m.exec(end.output) ?? [];
  throw new Error(`${reason}: it ended with ${end.code}: ${end.output}`);
}

/** What makes the networks, and then breaks them. */
export const sceneLines = ({
  target = silentTarget,
  breakIt = [],
}: Partial<RoutedScene>): readonly string[] => [...chain, ...targetLines(target), ...breakIt];

export interface RoutedScene {
  readonly target: string;
  readonly breakIt: readonly string[];
}

/** Runs the rest of a line in one of the other networks: `r1`, `r2` or `target`. */
export const within = (network: string, line: string): string =>
  `nsenter --net=/run/netns/${network} ${line}`;

export const pair = (left: string, leftName: string, right: string, rightName: string): string =>
  `ip link add ${leftName} netns ${left} type veth peer name ${rightName} netns ${right}`;

export const up = (
  network: string,
  device: string,
  ...addresses: readonly string[]
): readonly string[] => [
  ...addresses.map((address) =>
    address.includes(":")
      ? `ip -n ${network} address add ${address} dev ${device} nodad`
      : `ip -n ${network} address add ${address} dev ${device}`,
  ),
  `ip -n ${network} link set ${device} up`,
];

/** A router asks for its neighbours by its link-local address, which it would test for up to two seconds before. */
const usableAtOnce = "sh -c 'echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad'";

const chain: readonly string[] = [
  "mount -t tmpfs tmpfs /run",
  "mount -t sysfs sysfs /sys",
  "for one in r1 r2 target; do ip netns add $one; ip -n $one link set lo up; done",
  "ip netns attach agent $$",
  ...["agent", "r1", "r2", "target"].map((network) => within(network, usableAtOnce)),
  pair("agent", "eth0", "r1", "near"),
  pair("r1", "far", "r2", "near"),
  pair("r2", "far", "target", "eth0"),
  ...up("agent", "eth0", "10.0.0.2/24", "fd00:0::2/64"),
  ...up("r1", "near", "10.0.0.1/24", "fd00:0::1/64"),
  ...up("r1", "far", "10.0.1.1/24", "fd00:1::1/64"),
  ...up("r2", "near", "10.0.1.2/24", "fd00:1::2/64"),
  ...up("r2", "far", "10.0.2.1/24", "fd00:2::1/64"),
  ...up("target", "eth0", "10.0.2.9/24", "fd00:2::9/64"),
  "for one in r1 r2; do nsenter --net=/run/netns/$one sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding; echo 0 > /proc/sys/net/ipv4/icmp_ratelimit'; done",
  "ip route add default via 10.0.0.1",
  "ip -6 route add default via fd00:0::1",
  "ip -n r1 route add 10.0.2.0/24 via 10.0.1.2",
  "ip -n r1 -6 route add fd00:2::/64 via fd00:1::2",
  "ip -n r2 route add 10.0.0.0/24 via 10.0.1.1",
  "ip -n r2 -6 route add fd00::/64 via fd00:1::1",
  "ip -n target route add default via 10.0.2.1",
  "ip -n target -6 route add default via fd00:2::1",
  // The kernel looks at new links at most once a second, and a router has no IPv6 on a link before.
  "for one in agent r1 r2 target; do looks=0; until ip -n $one -6 address show up scope link | grep -q fe80 && ! ip -n $one link | grep -q 'state DOWN'; do looks=$((looks + 1)); if [ $looks -gt 1500 ]; then echo \"the links of $one do not come up\" >&2; exit 1; fi; sleep 0.02; done; done",
];

/**
 * The target ends when the other end of its standard input does, which is when the agent's process ends. It says that it
 * is ready, or, where it ends before, its shell says that.
 */
const targetLines = (target: string): readonly string[] => [
  "mkfifo /run/alive /run/ready",
  `cat > /run/target.mjs <<'END'\n${targetHead}\n${target}\nEND`,
  // Open for both, so that neither who says it nor who reads it waits for the other.
  "exec 6<> /run/ready",
  `(${within("target", '"$0" /run/target.mjs < /run/alive')} || echo broken > /run/ready) &`,
  "exec 8> /run/alive",
  "read -r target <&6",
  'if [ "$target" != ready ]; then echo "Error: the target of the scene ended before it served" >&2; exit 1; fi',
];

const targetHead = `
  import { createServer } from "node:net";
  import { createSocket } from "node:dgram";
  import { createServer as createHttpServer } from "node:http";
  import { once } from "node:events";
  import { writeFileSync } from "node:fs";
  process.stdin.on("end", () => process.exit(0)).resume();
  const ready = () => writeFileSync("/run/ready", "ready\\n");`;

/** Accepts on port 80 and never answers. */
const silentTarget = `
  createServer((socket) => socket.on("error", () => {}).resume()).listen(80, "::", ready);`;

const asAgent = 'exec unshare --map-user=65532 --map-group=65532 "$0" --input-type=module -e "$1"';
