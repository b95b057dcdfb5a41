import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { debianRoot } from "../support/debian-root.ts";
import { type CommandEnd, runCommand, succeed } from "../support/run-command.ts";

/** A container engine of our own, beside any other; nothing of it is left when it is disposed. */
export interface Engine extends AsyncDisposable {
  /** Where it is reached, as DOCKER_HOST has it. */
  readonly socket: string;
  /** `docker …` to its end. */
  run(...args: readonly string[]): Promise<CommandEnd>;
  /** The same, for what has to succeed. */
  must(...args: readonly string[]): Promise<string>;
}

const repository = path.resolve(import.meta.dirname, "../..");

/** Where an engine runs, and what it makes there for its containers. */
export interface EnginePlace {
  /** The words before a command that bring it there. */
  readonly enter: readonly string[];
  /** The daemon's arguments for its networks. */
  readonly network: readonly string[];
}
/** Its mounts are its own, since it leaves one of them behind. */
const hereWithoutNetworks: EnginePlace = {
  enter: ["unshare", "--mount", "--propagation=private"],
  network: ["--iptables=false", "--ip6tables=false", "--bridge=none"],
};

/** Starts it in a new folder; rejects, and leaves nothing of it, where it does not answer within `patience`. */
export async function startEngine({
  place: { enter, network } = hereWithoutNetworks,
  folder = mkdtempSync(path.join(tmpdir(), "picket-engine-")),
  patience = 100_000,
}: {
  readonly place?: EnginePlace;
  readonly folder?: string;
  readonly patience?: number;
} = {}): Promise<Engine> {
  if (process.getuid?.() !== 0)
    throw new Error("A container engine needs root: run these tests as root.");
  await using life = new AsyncDisposableStack();
  life.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const socket = `unix://${folder}/docker.sock`;
  const daemon = spawn(
    "env",
    [
      ...enter,
      "dockerd",
      ...network,
      "--data-root",
      `${folder}/data`,
      "--exec-root",
      `${folder}/exec`,
      "-H",
      socket,
      "--pidfile",
      `${folder}/pid`,
      "--exec-opt",
      "native.cgroupdriver=cgroupfs",
    ],
    { stdio: "ignore" },
  );
  const gone = once(daemon, "exit");
  life.defer(async () => {
    // What brought it to its place does not pass a signal on; where it has no number yet, there is only that.
    const { code } = await runCommand("env", [...enter, "pkill", "--pidfile", `${folder}/pid`]);
    if (code !== 0) daemon.kill("SIGTERM");
    await gone;
  });
  // The builder that every engine has: the newer one is a separate program.
  const env = { ...process.env, DOCKER_HOST: socket, DOCKER_BUILDKIT: "0" };
  const run = (...args: readonly string[]): Promise<CommandEnd> =>
    runCommand("docker", args, { env });
  const must = (...args: readonly string[]): Promise<string> => succeed("docker", args, { env });
  await vi.waitFor(() => must("version"), { timeout: patience, interval: 100 });
  const kept = life.move();
  return { socket, run, must, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Builds the image that the Dockerfile describes, on an imitation of the base that it names. */
export async function buildImage(engine: Engine, tag: string): Promise<void> {
  await buildBase(engine);
  await engine.must("build", "--network=host", "-q", "-t", tag, repository);
}

/** An imitation of the base, by the name that it has in a registry. */
export async function buildBase(engine: Engine): Promise<void> {
  const context = mkdtempSync(path.join(tmpdir(), "picket-base-"));
  try {
    cpSync(path.join(import.meta.dirname, "base/Dockerfile"), path.join(context, "Dockerfile"));
    cpSync(await debianRoot(), path.join(context, "root.tar"));
    cpSync("/etc/ssl/certs/ca-certificates.crt", path.join(context, "ca.crt"), {
      dereference: true,
    });
    const node = realpathSync(path.join(repository, "node_modules/.bin/node"));
    cpSync(node, path.join(context, "node"));
    cpSync(path.join(node, "../../LICENSE"), path.join(context, "LICENSE"));
    const npm = path.resolve(realpathSync(await succeed("which", ["npm"])), "../..");
    cpSync(npm, path.join(context, "npm"), { recursive: true, dereference: true });
    await engine.must("build", "--network=host", "-q", "-t", "node:26-bookworm-slim", context);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}
