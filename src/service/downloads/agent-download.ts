import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { isSea } from "node:sea";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createTar } from "nanotar";
import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import { between, type EpochMillis } from "#base/units";
import * as limits from "#limits/service-limits";
import { type ProgramFile, programFiles, runningFile } from "#service/downloads/program-files";
import { shippedTexts } from "#service/downloads/shipped-texts";
import { Refusal } from "#service/edge/call-refusal";

/** What a machine without the program is given, so that it runs an agent. */
export interface Handout {
  /** The script of the shell that fetches the rest, and starts it. It names the checksums of the rest. */
  readonly script: string;
  /** The program, with what starts, installs and contains it, as a tar archive. */
  readonly program: Uint8Array;
  readonly runtime: Runtime;
}

/** What runs the program: the file that this process was started from. */
interface Runtime {
  readonly name: "node" | "picket";
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Makes the handout when it is first asked for, and keeps it: everyone may ask. */
export class AgentDownload {
  readonly #surroundings: { readonly clock: Clock; readonly log: Logger };
  #making: Promise<Handout> | null = null;
  #failedAt: EpochMillis | null = null;

  constructor(surroundings: { readonly clock: Clock; readonly log: Logger }) {
    this.#surroundings = surroundings;
  }

  /** Rejects with a refusal when it cannot be made. */
  async handout(): Promise<Handout> {
    const { clock, log } = this.#surroundings;
    const at = clock.wall();
    if (this.#failedAt !== null && between(this.#failedAt, at) >= limits.bundleAgainAfter)
      this.#making = this.#failedAt = null;
    this.#making ??= made();
    try {
      return await this.#making;
    } catch (error) {
      if (this.#failedAt === null)
        log.error("the agent's program cannot be handed out", {
          "error.message": String(error),
        });
      this.#failedAt ??= at;
      throw new Refusal(
        "unavailable",
        "the service cannot hand out the agent's program: its log says why",
      );
    }
  }
}

async function made(): Promise<Handout> {
  const texts = shippedTexts();
  const { version, files } = await programFiles();
  const [program, runtime] = await Promise.all([archived(files, texts), ownRuntime()]);
  const facts: Readonly<Record<string, string>> = {
    version,
    programSha256: createHash("sha256").update(program).digest("hex"),
    runtimeSha256: runtime.sha256,
    runtime: runtime.name,
    processor: process.arch === "arm64" ? "aarch64" : "x86_64",
  };
  const script = (texts.get("start.sh") ?? "").replaceAll(
    /'@(\w+)@'/g,
    (_whole, name: string) => `'${facts[name] ?? ""}'`,
  );
  return { script, program, runtime };
}

/** Equal files give equal bytes, so that the replicas of a service hand out the same. */
function archived(
  files: readonly ProgramFile[],
  texts: ReadonlyMap<string, string>,
): Promise<Uint8Array> {
  const own = [...texts].filter(([name]) => name !== "start.sh");
  const entries = [
    ...own.map(([name, text]) => ({ name, data: text, attrs: { mode: modeOf(name) } })),
    ...files.map(({ name, bytes }) => ({
      name: `dist/${name}`,
      data: bytes,
      attrs: { mode: "644" },
    })),
  ];
  const tar = createTar(entries, {
    attrs: { uid: 0, gid: 0, user: "root", group: "root", mtime: 0 },
  });
  return promisify(gzip)(tar, { level: 9 });
}

const modeOf = (name: string): string =>
  name === "bin/picket" || name.endsWith(".sh") ? "755" : "644";

async function ownRuntime(): Promise<Runtime> {
  const file = runningFile;
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  const { size } = await stat(file);
  return { name: isSea() ? "picket" : "node", file, bytes: size, sha256: hash.digest("hex") };
}
