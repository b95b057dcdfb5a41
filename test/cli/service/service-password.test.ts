import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { silentLogger } from "#base/log";
import { main } from "#main";
import { type Service, startService } from "#service/server";
import { openStore } from "#service/store/open-store";
import { captureIo } from "../../support/captured-io.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { isInstalled } from "../../support/installed.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import { temporaryFolder } from "../../support/running-service.ts";

const picket = fileURLToPath(new URL("../../../bin/picket", import.meta.url));
const good = "correct horse battery";
const other = "staple stable stapler";

interface Serving {
  readonly database: string;
  readonly service: Service;
  readonly signIn: (
    secret: string,
  ) => Promise<{ readonly status: number; readonly cookie: string }>;
  /** The status of the overview, for whoever brings this cookie. */
  readonly overview: (cookie: string) => Promise<number>;
}

async function serving(
  database = path.join(temporaryFolder(), "service.sqlite"),
): Promise<Serving> {
  const secretFile = path.join(temporaryFolder(), "service.key");
  const where = { database, secretFile, host: "127.0.0.1", port: 0 };
  const about = { clock: new FakeClock(), log: silentLogger, pages: "signed in" } as const;
  const service = await startService({ ...where, ...about });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const headers = { accept: "text/html" };
  return {
    database,
    service,
    signIn: async (secret) => {
      const body = new URLSearchParams({ secret, next: "/" });
      const asking = { method: "POST", redirect: "manual", headers, body } as const;
      const { status, headers: got } = await fetch(`${service.url}/sign-in`, asking);
      return { status, cookie: (got.get("set-cookie") ?? "").split(";")[0] ?? "" };
    },
    overview: async (cookie) =>
      (await fetch(service.url, { redirect: "manual", headers: { ...headers, cookie } })).status,
  };
}

type Ended = readonly [number | null, string];

/** Runs the command as another program does, on a pipe: its exit code, and both streams together. */
async function piped(database: string, input: string): Promise<Ended> {
  const child = spawn(picket, ["service", "password", "--database", database]);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => void (output += String(chunk)));
  child.stdin.end(input);
  await once(child, "close");
  return [child.exitCode, output];
}

/** The same without a process. */
async function given(database: string, input: string | Buffer, ...words: string[]): Promise<Ended> {
  const io = captureIo();
  io.typing.end(input);
  const code = await main(["service", "password", "--database", database, ...words], io);
  return [code, io.written.stdout() + io.written.stderr()];
}

const setSentence =
  "The password is set. Sessions that an earlier password opened have ended: sign in again.\n";

async function passesThroughItsLife({ database, signIn, overview }: Serving): Promise<void> {
  expect((await signIn(good)).status).toBe(403);
  expect(await piped(database, `${good}\r\nnot this line\n`)).toEqual([0, setSentence]);
  const first = await signIn(good);
  expect(first.status).toBe(303);
  expect(await overview(first.cookie)).toBe(200);
  // The same one, set anew, is another one.
  expect(await given(database, good)).toEqual([0, setSentence]);
  expect(await overview(first.cookie)).toBe(303);
  const second = await signIn(good);
  expect(await overview(second.cookie)).toBe(200);
  expect(await given(database, "", "--remove")).toEqual([
    0,
    "The password is removed, and its sessions have ended. API keys still open the pages.\n",
  ]);
  expect(await overview(second.cookie)).toBe(303);
  expect(await given(database, "", "--remove")).toEqual([
    0,
    "There was no password. API keys open the pages.\n",
  ]);
}

test("a password from a program opens the pages of the running service, until it is set again or removed", async () => {
  const scene = await serving();
  await passesThroughItsLife(scene);
  expect((await scene.signIn(good)).status).toBe(403);
});

describe.skipIf(!isPostgresInstalled())("on PostgreSQL", () => {
  let postgres: PostgresServer;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres[Symbol.asyncDispose]());

  test("the password has the same life", async () => {
    const scene = await serving(postgres.fresh());
    await passesThroughItsLife(scene);
    expect((await scene.signIn(good)).status).toBe(403);
  });
});

test("what is not a good password is refused in a sentence without it, and the one before holds", async () => {
  const { database, signIn } = await serving();
  await given(database, good);
  const refused: readonly (readonly [string | Buffer, string])[] = [
    ["", "no password was entered, so nothing was changed"],
    ["elevenchars\n", "the password needs at least 12 characters, for example four words"],
    [
      `pkt_key_${good}\n`,
      "the password begins with pkt_key_, as API keys do: choose another beginning",
    ],
    ["x".repeat(300_000), "the password may have at most 256 characters"],
    [
      Buffer.from("gr\xfcn wie die Wiese\n", "latin1"),
      "the password has a character that no browser can send: type it as UTF-8 text, without control characters",
    ],
  ];
  for (const [input, sentence] of refused)
    expect(await given(database, input)).toEqual([1, `picket service: ${sentence}\n`]);
  const [code, output] = await given(database, "", other);
  expect([code, output]).toEqual([64, expect.stringContaining("password takes no words")]);
  expect(output).not.toContain(other);
  expect((await signIn(good)).status).toBe(303);
});

test("a file that is not a service's database is not made", async () => {
  const database = path.join(temporaryFolder(), "other.sqlite");
  const [code, output] = await given(database, good);
  expect([code, output]).toEqual([1, expect.stringContaining("there is no database")]);
});

interface Typist {
  /** Types this at the first appearance of a prompt. */
  readonly at: (prompt: string, keys: string) => void;
  readonly ended: Promise<readonly [number | null, string]>;
}

/** The command at a real terminal, which script opens, and all that appears on it. */
function atTerminal(database: string): Typist {
  const line = `"$PICKET" service password --database "$DATABASE"`;
  const env = { ...process.env, PICKET: picket, DATABASE: database, SHELL: "/bin/sh" };
  const child = spawn("script", ["-qec", line, "/dev/null"], { env });
  const turns: (readonly [string, string])[] = [];
  let screen = "";
  child.stdout.on("data", (chunk: Buffer) => {
    screen += String(chunk);
    const [prompt, keys] = turns[0] ?? [];
    if (prompt === undefined || !screen.includes(prompt)) return;
    turns.shift();
    child.stdin.write(keys ?? "");
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    at: (prompt, keys) => void turns.push([prompt, keys]),
    ended: once(child, "close").then(() => [child.exitCode, screen.replaceAll("\r", "")] as const),
  };
}

describe.skipIf(!isInstalled("script"))("at a terminal", () => {
  test("it is asked for twice and never shown, and keys that correct it do", async () => {
    const { database, signIn } = await serving();
    const { at, ended } = atTerminal(database);
    at("New password: ", `${good}xx\x7f\x7f\r`);
    at("Repeat it: ", `${good}\r`);
    expect(await ended).toEqual([0, `New password: \nRepeat it: \n${setSentence}`]);
    expect((await signIn(good)).status).toBe(303);
  });

  test.each([
    [
      "two that differ",
      `${other}\r`,
      "the two passwords differ, so nothing was changed: try again",
    ],
    // The first line is in no history.
    ["the arrow up", "\x1b[A\r", "the two passwords differ, so nothing was changed: try again"],
    ["Ctrl-C", "\x03", "no password was entered, so nothing was changed"],
  ])("%s changes nothing", async (_what, keys, sentence) => {
    const { database, signIn } = await serving();
    const { at, ended } = atTerminal(database);
    at("New password: ", `${good}\r`);
    at("Repeat it: ", keys);
    expect(await ended).toEqual([1, `New password: \nRepeat it: \npicket service: ${sentence}\n`]);
    expect((await signIn(good)).status).toBe(403);
  });
});

test("the database has a salted hash of it, and not the password", async () => {
  const { database } = await serving();
  await given(database, good);
  await using store = await openStore({ database, use: "command", onProgress: () => {} });
  const kept = (await store.state.settings.all()).get("operators-password") ?? "";
  expect(kept).toMatch(/^scrypt\.[\w-]{22}\.[\w-]{43}$/);
});
