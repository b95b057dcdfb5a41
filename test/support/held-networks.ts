import { holdNetwork } from "./own-network.ts";
import { type RoutedScene, sceneLines } from "./routed-network.ts";
import { succeed } from "./run-command.ts";

/** The networks of routed-network.ts for as long as a test wants them, with processes in any of them. */
export interface HeldNetworks extends AsyncDisposable {
  /** A line for the shell of the networks' root; rejects with what it said where it fails. */
  order(line: string): Promise<string>;
  /** Put before a command, it runs that in one of the networks, as user 65532 without a capability. */
  within(network: string): readonly string[];
}

export async function holdRouters(scene: Partial<RoutedScene>): Promise<HeldNetworks> {
  const held = await holdNetwork(sceneLines(scene));
  const [nsenter = "", ...inside] = held.inside;
  return {
    order: (line) => succeed(nsenter, [...inside, "sh", "-c", line]),
    within: (network) => [
      ...held.inside,
      "nsenter",
      `--net=/run/netns/${network}`,
      "unshare",
      "--mount",
      "sh",
      "-c",
      asUser,
    ],
    [Symbol.asyncDispose]: () => held[Symbol.asyncDispose](),
  };
}

/** What the kernel says of interfaces there is about the network that it was mounted in; on itself it is not mounted. */
const asUser =
  'mount -t tmpfs tmpfs /sys && mount -t sysfs sysfs /sys && exec unshare --map-user=65532 --map-group=65532 "$0" "$@"';
