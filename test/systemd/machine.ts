import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { debianRoot } from "../support/debian-root.ts";
import { type CommandEnd, runCommand, succeed } from "../support/run-command.ts";

/** A small Debian whose own systemd is booted, beside this machine: nothing of it is left when it is disposed. */
export interface Machine extends AsyncDisposable {
  /** Its file system, as this machine sees it. */
  readonly root: string;
  /** Runs a shell command in it to its end. */
  run(command: string): Promise<CommandEnd>;
  /** The same, for a command that has to succeed. */
  must(command: string): Promise<string>;
}

const packages = ["systemd", "systemd-sysv", "dbus", "procps", "iproute2", "curl"];

/** Where systemd keeps its own groups of processes, by the layouts that a machine may have. */
const controlGroups = ["", "/systemd", "/unified"]
  .map((folder) => `/sys/fs/cgroup${folder}`)
  .filter((folder) => existsSync(path.join(folder, "cgroup.procs")));
/** In a separate group, by the name that is `$0`: two machines would take the same unit's processes for theirs. */
const intoGroup = `for place in ${controlGroups.join(" ")}; do mkdir "$place/$0" && echo $$ >"$place/$0/cgroup.procs" || exit; done; exec "$@"`;
const removed = "-type d -exec rmdir {} +".split(" ");

/** Boots it in a new folder; rejects, and leaves nothing of it, if it does not run within `patience`. */
export async function bootMachine({
  root = mkdtempSync(path.join(tmpdir(), "picket-machine-")),
  patience = 100_000,
}: { readonly root?: string; readonly patience?: number } = {}): Promise<Machine> {
  if (process.getuid?.() !== 0)
    throw new Error("A booted systemd needs root: run npm run test:systemd as root.");
  await using life = new AsyncDisposableStack();
  life.defer(() => rmSync(root, { recursive: true, force: true }));
  await succeed("tar", ["-xf", await debianRoot(...packages), "-C", root]);
  const name = path.basename(root);
  const flags = "-q --private-network --register=no --keep-unit -b --console=pipe".split(" ");
  const nspawn = spawn(
    "sh",
    ["-c", intoGroup, name, "systemd-nspawn", ...flags, "-D", root, `--machine=${name}`],
    { stdio: "ignore", detached: true },
  );
  const gone = once(nspawn, "exit");
  life.defer(async () => {
    const removing = [...controlGroups, "-depth", "-path", `*/${name}*`, ...removed];
    // A group can be removed once the last of its processes has ended.
    await vi.waitFor(() => succeed("find", removing), { timeout: 100_000, interval: 50 });
  });
  life.defer(async () => {
    // Its child first, which outlives it; it may have none yet, or be gone itself.
    const { stdout } = await runCommand("pgrep", ["-P", String(nspawn.pid)]);
    for (const child of stdout.trim().split("\n").filter(Boolean)) kill(Number(child));
    nspawn.kill("SIGKILL");
    await gone;
  });
  const init = await running(nspawn, patience);
  const run = (command: string): Promise<CommandEnd> => inside(init, command);
  const must = async (command: string): Promise<string> => {
    const { code, stdout, output } = await run(command);
    if (code !== 0) throw new Error(`${command}\nended with ${code}: ${output}`);
    return stdout.trimEnd();
  };
  const kept = life.move();
  return { root, run, must, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

const inside = (init: string, command: string): Promise<CommandEnd> =>
  runCommand("nsenter", ["-t", init, "-a", "/bin/sh", "-c", command], {
    env: { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" },
  });

/** The first process inside, once it has started everything; before it, nspawn has another child for a moment. */
const running = (nspawn: ChildProcess, patience: number): Promise<string> =>
  vi.waitFor(
    async () => {
      const init = await succeed("pgrep", ["-P", String(nspawn.pid)]);
      const { stdout } = await inside(init, "systemctl is-system-running");
      if (!/running|degraded/.test(stdout)) throw new Error(`the machine is ${stdout}`);
      return init;
    },
    { timeout: patience, interval: 100 },
  );

const repository = path.resolve(import.meta.dirname, "../..");

/** What a clone holds after `npm ci --omit=dev`, without a second download of it. */
export function copyClone(to: string): void {
  for (const part of ["bin", "src", "package.json", "systemd"])
    cpSync(path.join(repository, part), path.join(to, part), { recursive: true });
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(path.join(repository, "package-lock.json"), "utf8"),
  );
  for (const [folder, { dev }] of Object.entries(lock.packages)) {
    const from = path.join(repository, folder);
    if (folder === "" || dev === true || !existsSync(from)) continue;
    cpSync(from, path.join(to, folder), { recursive: true });
  }
  const bin = path.join(to, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  const node = path.join(repository, "node_modules/.bin/node");
  cpSync(node, path.join(bin, "node"), { dereference: false, verbatimSymlinks: true });
}
