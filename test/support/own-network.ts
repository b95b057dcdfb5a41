import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { isInstalled, type Program, refuseInCi } from "./installed.ts";
import { type CommandEnd, runCommand } from "./run-command.ts";

/**
 * Whether a test can make a network in which these programs do their work: they are installed, as is what makes it, and
 * the kernel carries out the lines of `trial`.
 */
export function canMakeNetwork(
  programs: readonly Program[] = [],
  trial: readonly string[] = [],
): boolean {
  if (!isInstalled("unshare", "ip", ...programs)) return false;
  const filters = programs.filter((one) => one === "iptables" || one === "ip6tables");
  const lines = [...trial, ...filters.map((filter) => `${filter} --list-rules > /dev/null`)];
  const why = refusals.getOrInsertComputed(lines.join("\n"), () => refusal(lines));
  if (why !== null) refuseInCi(`a test cannot make a network here (${why})`);
  return why === null;
}

/** What the kernel refuses one test, it refuses the next. */
const refusals = new Map<string, string | null>();

function refusal(lines: readonly string[]): string | null {
  const { status, stderr } = spawnSync("unshare", [...shell(lines)], { encoding: "utf8" });
  return status === 0 ? null : (stderr.split("\n")[0] ?? "");
}

/**
 * Runs a module's text in a network and a mount namespace of its own, with the loopback interface alone, after the lines
 * of `setUp` for the shell. What it dials and mounts is seen nowhere else, and ends with it.
 */
export const inOwnNetwork = (setUp: readonly string[], module: string): Promise<CommandEnd> =>
  runCommand("unshare", [...shell([...setUp, 'exec "$0" --input-type=module -e "$1"']), module]);

/** Such a network for as long as a test wants it. */
export interface HeldNetwork extends AsyncDisposable {
  /** Put before a command, it runs that there, as the network's root. */
  readonly inside: readonly string[];
}

/** The same network and the same lines, for processes that begin and end during the test. */
export async function holdNetwork(setUp: readonly string[]): Promise<HeldNetwork> {
  const holder = spawn("unshare", shell([...setUp, "echo held", "exec cat > /dev/null"]));
  const said = text(holder.stderr);
  const gone = once(holder, "exit");
  const [first] = await Promise.race([once(holder.stdout, "data"), gone]);
  if (!Buffer.isBuffer(first)) throw new Error(`the network's lines failed: ${await said}`);
  holder.stdout.resume();
  return {
    inside: ["nsenter", `--target=${holder.pid}`, ...entered],
    [Symbol.asyncDispose]: async () => {
      holder.stdin.end();
      await gone;
    },
  };
}

/** Its root is whoever made it. */
const entered = ["--user", "--net", "--mount", "--preserve-credentials", "--wd"];

const shell = (lines: readonly string[]): readonly string[] => [
  ...namespaces(),
  "sh",
  "-c",
  ["set -e", "ip link set lo up", ...lines].join("\n"),
  process.execPath,
];

/** Root of a user namespace may make the others, whoever runs the tests. */
function namespaces(): readonly string[] {
  return ["--map-root-user", "--net", "--mount"];
}
