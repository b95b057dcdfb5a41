import { spawnSync } from "node:child_process";
import { type CommandEnd, runCommand } from "./run-command.ts";

/** Whether this machine lets a test make namespaces: it needs util-linux, iproute2 and a kernel that allows it. */
export const ownNetworks: boolean =
  spawnSync("unshare", [...namespaces(), "ip", "link", "set", "lo", "up"]).status === 0;

/**
 * Runs a module's text in a network and a mount namespace of its own, with the loopback interface alone, after the lines
 * of `setUp` for the shell. What it dials and mounts is seen nowhere else, and ends with it.
 */
export const inOwnNetwork = (setUp: readonly string[], module: string): Promise<CommandEnd> => {
  const lines = ["set -e", "ip link set lo up", ...setUp, 'exec "$0" --input-type=module -e "$1"'];
  const args = [...namespaces(), "sh", "-c", lines.join("\n"), process.execPath, module];
  return runCommand("unshare", args);
};

/** Root of a user namespace may make the others, whoever runs the tests. */
function namespaces(): readonly string[] {
  return ["--map-root-user", "--net", "--mount"];
}
