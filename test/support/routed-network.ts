import type { CommandEnd } from "./run-command.ts";
import type { Program } from "./installed.ts";
import { canMakeNetwork, inOwnNetwork } from "./own-network.ts";

/** Whether a test can make the networks below, in which a scene needs these programs, too. */
export const canRoute = (...programs: readonly Program[]): boolean =>
  canMakeNetwork(["cat", "mkfifo", "mount", "nsenter", "sleep", ...programs], trial);

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
  `ip ${link(left, leftName, right, rightName)}`;

export const link = (left: string, leftName: string, right: string, rightName: string): string =>
  `link add ${leftName} netns ${left} type veth peer name ${rightName} netns ${right}`;

export const up = (network: string, device: string, ...addresses: readonly string[]): string =>
  batch(`ip -n ${network}`, [
    ...addresses.map((address) =>
      address.includes(":")
        ? `address add ${address} dev ${device} nodad`
        : `address add ${address} dev ${device}`,
    ),
    `link set ${device} up`,
  ]);

/** What one start of the program does: the start takes longer than all of it. */
export const batch = (program: string, orders: readonly string[]): string =>
  [`${program} -batch - <<END`, ...orders, "END"].join("\n");

export const writing = (network: string, ...values: readonly string[]): string =>
  within(network, `sh -c '${values.map((value) => `echo ${value}`).join("; ")}'`);

/** A router asks for its neighbours by its link-local address, which it would test for up to two seconds before. */
export const usableAtOnce = "0 > /proc/sys/net/ipv6/conf/default/accept_dad";
/**
 * A router that answers as often as it is asked. With a rate limit of 0 instead, the kernel would forget with each ICMP
 * message what a route without a way may still send, so a busy scene would hear of no missing route.
 */
export const forwards: readonly string[] = [
  "1 > /proc/sys/net/ipv4/ip_forward",
  "1 > /proc/sys/net/ipv6/conf/all/forwarding",
  "0 > /proc/sys/net/ipv4/icmp_ratemask",
  "0 > /proc/sys/net/ipv6/icmp/ratelimit",
];

/** The kernel looks at new links at most once a second, and a router has no IPv6 on a link before. */
export const linksAreUp = (...networks: readonly string[]): string =>
  `for one in ${networks.join(" ")}; do looks=0; until case $(ip -n $one address) in *"state DOWN"*) false ;; *"inet6 fe80"*) ;; *) false ;; esac; do looks=$((looks + 1)); if [ $looks -gt 1500 ]; then echo "the links of $one do not come up" >&2; exit 1; fi; sleep 0.02; done; done`;

export const mounts: readonly string[] = ["mount -t tmpfs tmpfs /run", "mount -t sysfs sysfs /sys"];

/** What a container or a small kernel may refuse. */
const trial: readonly string[] = [
  ...mounts,
  "ip link add near type veth peer name far",
  'unshare --map-user=65532 --map-group=65532 "$0" --version > /dev/null',
];

const chain: readonly string[] = [
  ...mounts,
  batch("ip", ["netns add r1", "netns add r2", "netns add target", "netns attach agent $$"]),
  ...["r1", "r2", "target"].map((network) => up(network, "lo")),
  ...["agent", "target"].map((network) => writing(network, usableAtOnce)),
  ...["r1", "r2"].map((network) => writing(network, usableAtOnce, ...forwards)),
  batch("ip", [
    link("agent", "eth0", "r1", "near"),
    link("r1", "far", "r2", "near"),
    link("r2", "far", "target", "eth0"),
  ]),
  up("agent", "eth0", "10.0.0.2/24", "fd00:0::2/64"),
  up("r1", "near", "10.0.0.1/24", "fd00:0::1/64"),
  up("r1", "far", "10.0.1.1/24", "fd00:1::1/64"),
  up("r2", "near", "10.0.1.2/24", "fd00:1::2/64"),
  up("r2", "far", "10.0.2.1/24", "fd00:2::1/64"),
  up("target", "eth0", "10.0.2.9/24", "fd00:2::9/64"),
  batch("ip", ["route add default via 10.0.0.1", "route add default via fd00:0::1"]),
  batch("ip -n r1", ["route add 10.0.2.0/24 via 10.0.1.2", "route add fd00:2::/64 via fd00:1::2"]),
  batch("ip -n r2", ["route add 10.0.0.0/24 via 10.0.1.1", "route add fd00::/64 via fd00:1::1"]),
  batch("ip -n target", ["route add default via 10.0.2.1", "route add default via fd00:2::1"]),
  linksAreUp("agent", "r1", "r2", "target"),
];

/**
 * The target ends when the other end of its standard input does, which is when the agent's process ends. It says that it
 * is ready, or, where it ends before, its shell says that.
 */
export const targetLines = (target: string): readonly string[] => [
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

export const asAgent =
  'exec unshare --map-user=65532 --map-group=65532 "$0" --input-type=module -e "$1"';
