import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

/* Somebody who copies what a page shows into a shell, on a machine that has nothing but Picket. */

/** What one statement of the shell came to. */
export interface Ran {
  readonly statement: string;
  readonly code: number;
  readonly output: string;
}

/** A command that runs until it is stopped, and the words by which a person sees that it works. */
interface LongRunning {
  readonly command: RegExp;
  readonly ready: RegExp;
  /** It is one to look at and to stop, rather than one that the rest of the page needs. */
  readonly isStopped: boolean;
}

const longRunning: readonly LongRunning[] = [
  {
    command: /picket service(?: --\w[\w-]* \S+)*$/,
    ready: /The service listens on/,
    isStopped: false,
  },
  { command: /picket agent$|start\.sh \|.* sh$/, ready: /assignment taken/, isStopped: false },
  { command: /picket up(?!.* --for)/, ready: /success/, isStopped: true },
  // It draws on a terminal.
  { command: /^script .* --watch/, ready: /\S/, isStopped: true },
];

export class Reader implements AsyncDisposable {
  readonly #shell = spawn(path.join(import.meta.dirname, "machine.sh"), ["bash"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  readonly #lines = createInterface({ input: this.#shell.stdout })[Symbol.asyncIterator]();
  /** Names of what runs behind. */
  readonly #running = new Set<string>();
  /** What a page leaves out of a secret, by how it begins: `pkt_key_…` is the key that was seen last. */
  readonly #seen = new Map<string, string>();
  #count = 0;

  private constructor() {}

  /** The machine, with the servers that the examples talk to. The reader is an ordinary user there, or root. */
  static async create({ isRoot = false }: { readonly isRoot?: boolean } = {}): Promise<Reader> {
    const reader = new Reader();
    await reader.#shellRuns("set -m; cd ~/picket");
    const world = "node_modules/.bin/node --disable-warning=ExperimentalWarning test/docs/world.ts";
    await reader.#behind("world", world, /the world is there/);
    if (!isRoot) reader.#become("setpriv --reuid=1000 --regid=1000 --clear-groups");
    await reader.#shellRuns("set -m; mkdir ~/work; cd ~/work");
    return reader;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shell.stdin.end();
    this.#shell.kill();
    if (this.#shell.exitCode === null) await once(this.#shell, "exit");
  }

  /** Runs one statement to its end, or until it works if it runs until it is stopped. */
  async run(written: string): Promise<Ran> {
    const filled = this.#filledIn(written);
    const statement = filled.includes(" --watch") ? `script -qec '${filled}' /dev/null` : filled;
    const plain = statement.replace(/ +#.*$/m, "").trimEnd();
    const long = longRunning.find(({ command }) => command.test(plain));
    const ran =
      long === undefined ? await this.#shellRuns(statement) : await this.#runLong(statement, long);
    for (const [secret, kind] of ran.output.matchAll(/(pkt_(?:key|loc)_)[\w-]{20,}/g))
      if (kind !== undefined) this.#seen.set(kind, secret);
    return ran;
  }

  /** What a page shows as `pkt_key_…` is what the page's own commands printed. */
  #filledIn(statement: string): string {
    return statement.replaceAll(
      /(pkt_\w{3}_)…/g,
      (shown, kind: string) => this.#seen.get(kind) ?? shown,
    );
  }

  async #runLong(statement: string, { ready, isStopped }: LongRunning): Promise<Ran> {
    const name = /picket (\w+)/.exec(statement)?.[1] ?? "agent";
    // A page that starts another service means it in place of the one before, as its port does.
    if (name === "service" || name === "up") await this.stop("service");
    await this.stop(name);
    const ran = await this.#behind(name, statement, ready);
    if (!isStopped || ran.code !== 0) return ran;
    await this.stop(name);
    return ran;
  }

  async #behind(name: string, statement: string, ready: RegExp): Promise<Ran> {
    const log = `/tmp/log-${(this.#count += 1)}`;
    await this.#shellRuns(`{ ${statement}\n} </dev/null >${log} 2>&1 &\npid_${name}=$!`);
    this.#running.add(name);
    const ran = await this.#shellRuns(
      `for _ in {1..600}; do grep -qE '${ready.source}' ${log} && break; kill -0 $pid_${name} || break; read -rt 0.1 <> <(:) || true; done; cat ${log}; grep -qE '${ready.source}' ${log}`,
    );
    return { ...ran, statement };
  }

  /** Stops what runs behind by this name, as Ctrl-C does, and waits for its end. */
  async stop(name: string): Promise<void> {
    if (this.#running.delete(name))
      await this.#shellRuns(`kill -INT -- -$pid_${name}; wait $pid_${name}`);
  }

  /** Another shell in this one's place. */
  #become(as: string): void {
    this.#shell.stdin.write(`exec ${as} bash\n`);
  }

  async #shellRuns(statement: string): Promise<Ran> {
    const end = `end-${(this.#count += 1)}`;
    this.#shell.stdin.write(`{ ${statement}\n} </dev/null 2>&1; printf '\\n${end} %s\\n' $?\n`);
    const lines: string[] = [];
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done === true) throw new Error(`the shell ended in: ${statement}\n${lines.join("\n")}`);
      if (!value.startsWith(`${end} `)) lines.push(value);
      else return { statement, code: Number(value.split(" ")[1]), output: lines.join("\n") };
    }
  }
}

/** The statements of a shell's text: lines, joined until the shell itself takes them for whole. */
export function statementsOf(code: string): readonly string[] {
  const statements: string[] = [];
  let begun = "";
  for (const line of code.split("\n")) {
    begun = begun === "" ? line : `${begun}\n${line}`;
    if (/^\s*(?:#.*)?$/.test(begun)) begun = "";
    else if (isWhole(begun)) {
      statements.push(begun);
      begun = "";
    }
  }
  if (begun !== "") throw new Error(`the shell does not take this for whole: ${begun}`);
  return statements;
}

/** A text that ends within a here-document is whole to the shell, but for a warning. */
function isWhole(text: string): boolean {
  const { status, stderr } = spawnSync("bash", ["-n"], { input: text });
  return !text.endsWith("\\") && status === 0 && stderr.length === 0;
}
