import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runService } from "#cli/service/service-command";
import { UsageError } from "#cli/edge/usage-error";
import { type CapturedIo, captureIo } from "../../support/captured-io.ts";
import { databaseBefore } from "../../support/database-before.ts";
import { isInstalled } from "../../support/installed.ts";
import { notifySocket } from "../../support/notify-socket.ts";
import { temporaryFolder } from "../../support/running-service.ts";

const newFile = (): string => path.join(temporaryFolder(), "service.sqlite");

/** Starts `picket service` on a free port; its address once it listens. */
async function serving(
  database: string,
  host = "127.0.0.1",
  env: Readonly<Record<string, string>> = {},
): Promise<{ io: CapturedIo; url: string; ended: Promise<number> }> {
  const io = captureIo({ PICKET_SERVICE_DATABASE: database, ...env });
  const ended = runService(["--listen", `${host}:0`, "--allow-http"], io);
  const listening = new Promise<string>((resolve) => {
    const look = (): void => {
      const [, url] = /listens on (\S+?)[,;]/.exec(io.written.stdout()) ?? [];
      if (url !== undefined) resolve(url);
    };
    io.stdout.on("data", look);
  });
  const url = await Promise.race([
    listening,
    ended.then((code) => {
      throw new Error(`ended with ${code}: ${io.written.stderr()}`);
    }),
  ]);
  return { io, url, ended };
}

async function keys(database: string, ...words: string[]): Promise<[number, string, string]> {
  const io = captureIo();
  const code = await runService(["key", ...words, "--database", database], io);
  return [code, io.written.stdout(), io.written.stderr()];
}

const whoami = (url: string, key: string): Promise<Response> =>
  fetch(`${url}/v1/whoami`, { headers: { "x-service-key": key } });

test("the service makes a key if there is none, prints it once, and ends with 0 when asked to", async () => {
  const database = newFile();
  const first = await serving(database);
  const [key = ""] = /pkt_key_[\w-]{43}/.exec(first.io.written.stdout()) ?? [];
  expect((await whoami(first.url, key)).status).toBe(200);
  expect(first.io.written.stdout()).toContain(
    `Open ${first.url} in a browser and sign in with this key: ${key}\n`,
  );
  first.io.stop.abort();
  expect(await first.ended).toBe(0);
  await expect(fetch(first.url)).rejects.toThrow("fetch failed");
  const second = await serving(database);
  expect(second.io.written.stdout()).not.toContain("pkt_key_");
  expect((await whoami(second.url, key)).status).toBe(200);
  second.io.stop.abort();
  expect(await second.ended).toBe(0);
});

test("keys are made, listed without themselves, and revoked while the service runs", async () => {
  const database = newFile();
  const { io, url, ended } = await serving(database);
  const [code, made] = await keys(database, "create", "--name", "ci", "--scope", "read");
  expect([code, made]).toEqual([0, expect.stringMatching(/^pkt_key_[\w-]{43}\n$/)]);
  const answer: unknown = await (await whoami(url, made.trim())).json();
  expect(answer).toMatchObject({ actor: { scopes: ["read"] } });
  const [, list] = await keys(database, "list");
  expect(list).toMatch(
    /^1 {2}write {2}pkt_key_[\w-]{4}… {2}never used {19} {2}first\n2 {2}read {3}pkt_key_[\w-]{4}… {2}last used 2\d{3}-\d\d-\d\d [\d:]{8} {2}ci\n$/,
  );
  const id = list.split("\n")[1]?.split(" ")[0] ?? "";
  expect(await keys(database, "revoke", id)).toEqual([0, `Revoked ${id}\n`, ""]);
  expect((await whoami(url, made.trim())).status).toBe(401);
  expect(await keys(database, "revoke", id)).toEqual([
    1,
    "",
    "picket service: there is no API key with this id: picket service key list shows them\n",
  ]);
  io.stop.abort();
  expect(await ended).toBe(0);
});

test("a backup is made while the service runs, and is a service's database in another place", async () => {
  const database = newFile();
  const first = await serving(database);
  const [key = ""] = /pkt_key_[\w-]{43}/.exec(first.io.written.stdout()) ?? [];
  const backup = async (...words: string[]): Promise<[number, string, string]> => {
    const io = captureIo({ PICKET_SERVICE_DATABASE: database });
    const code = await runService(["backup", ...words], io);
    return [code, io.written.stdout(), io.written.stderr()];
  };
  const copy = newFile();
  expect(await backup(copy)).toEqual([0, `${copy} is a copy of ${database}\n`, ""]);
  expect(await backup(copy)).toEqual([
    1,
    "",
    `picket service: ${copy} is there already: give a backup a name that is free\n`,
  ]);
  await expect(backup()).rejects.toThrow(UsageError);
  const second = await serving(copy);
  expect((await whoami(second.url, key)).status).toBe(200);
  for (const { io, ended } of [first, second]) {
    io.stop.abort();
    expect(await ended).toBe(0);
  }
});

test("whoami says the name that the operator gave, and a key is taken from the headers that the operator named", async () => {
  const { io, url, ended } = await serving(newFile(), "127.0.0.1", {
    PICKET_SERVICE_NAME: "Acme",
    PICKET_SERVICE_SLUG: "acme",
    PICKET_SERVICE_KEY_HEADERS: "X-Acme-Key, x-other",
  });
  const [key = ""] = /pkt_key_[\w-]{43}/.exec(io.written.stdout()) ?? [];
  const ask = async (headers: Record<string, string>): Promise<readonly unknown[]> => {
    const answer = await fetch(`${url}/v1/whoami`, { headers });
    const call = await fetch(`${url}/openstatus.monitor.v1.MonitorService/ListMonitors`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: "{}",
    });
    return [answer.status, call.status, await answer.json()];
  };
  const said = { name: "Acme", slug: "acme", plan: "self-hosted" };
  expect(await ask({ "x-acme-key": key })).toMatchObject([200, 200, said]);
  expect(await ask({ "x-openstatus-key": key, "x-acme-key": "wrong" })).toMatchObject([
    200,
    200,
    said,
  ]);
  expect(await ask({ "x-third": key })).toMatchObject([401, 401, {}]);
  io.stop.abort();
  expect(await ended).toBe(0);
  for (const env of [
    { PICKET_SERVICE_KEY_HEADERS: "a:b" },
    { PICKET_SERVICE_CALLS_PER_SECOND: "0" },
    { PICKET_SERVICE_PACK_AFTER: "some hours" },
    { PICKET_SERVICE_NAME: "x".repeat(300) },
  ])
    await expect(serving(newFile(), "127.0.0.1", env)).rejects.toThrow(UsageError);
});

test("a key may call as often as the operator says, and a call beyond that waits for its turn", async () => {
  const { io, url, ended } = await serving(newFile(), "127.0.0.1", {
    PICKET_SERVICE_CALLS_PER_SECOND: "1",
  });
  const [key = ""] = /pkt_key_[\w-]{43}/.exec(io.written.stdout()) ?? [];
  const hungUp = new AbortController();
  const request = { headers: { "x-service-key": key }, signal: hungUp.signal };
  const refused = Promise.withResolvers<Response>();
  // 25 at once, 8 that wait, and more.
  const calls = Array.from({ length: 35 }, async () => {
    const answer = await fetch(`${url}/v1/whoami`, request);
    if (answer.status === 429) refused.resolve(answer);
  });
  expect((await refused.promise).headers.get("error-limit")).toBe("1");
  hungUp.abort();
  await Promise.allSettled(calls);
  io.stop.abort();
  expect(await ended).toBe(0);
});

test("tokens are sealed with the key of the file that the service is given, which is nowhere else", async () => {
  const database = newFile();
  const secret = path.join(temporaryFolder(), "sealing-key");
  writeFileSync(secret, randomBytes(32).toString("base64"));
  const { io, ended } = await serving(database, "127.0.0.1", {
    PICKET_SERVICE_SECRET_FILE: secret,
  });
  io.stop.abort();
  expect(await ended).toBe(0);
  expect(existsSync(`${database}.key`)).toBe(false);
  writeFileSync(secret, "too short");
  await expect(
    serving(database, "127.0.0.1", { PICKET_SERVICE_SECRET_FILE: secret }),
  ).rejects.toThrow(/ended with 1: .*the key file .*sealing-key holds no key of 32 bytes/);
});

test.each([
  ["list"],
  ["create", "--name", "ci", "--scope", "read"],
  ["revoke", "01890a5d-ac96-774b-bcce-b302099a8057"],
])("key %s if there is no database makes none, and says which to name", async (...words) => {
  const database = newFile();
  expect(await keys(database, ...words)).toEqual([
    1,
    "",
    `picket service: there is no database ${database}: name the service's own with --database FILE or PICKET_SERVICE_DATABASE, or start picket service, which makes it\n`,
  ]);
  expect(existsSync(database)).toBe(false);
});

test.each([
  ["0.0.0.0", "127.0.0.1"],
  ["[::]", "[::1]"],
])("a service on %s says so, and gives an address that works", async (host, reached) => {
  const { io, url, ended } = await serving(newFile(), host);
  expect(url).toMatch(RegExp(`^http://${RegExp.escape(reached)}:\\d+$`));
  expect(io.written.stdout()).toContain(`listens on ${url}, and on every other address here;`);
  expect(io.written.stdout()).toContain(`export SERVICE_API_URL=${url} SERVICE_API_KEY=`);
  expect((await fetch(`${url}/v1/whoami`)).status).toBe(401);
  io.stop.abort();
  expect(await ended).toBe(0);
});

test.skipIf(!isInstalled("python3"))(
  "systemd hears how far an old database is, to wait on from there, and READY only when calls are taken",
  async () => {
    const database = newFile();
    databaseBefore(database, { monitors: 2, results: 1_000, begin: 0 });
    const socket = path.join(temporaryFolder(), "notify");
    const next = await notifySocket(socket);
    const { io, url, ended } = await serving(database, "127.0.0.1", { NOTIFY_SOCKET: socket });
    expect(await next()).toBe("STATUS=starts\nEXTEND_TIMEOUT_USEC=300000000");
    expect(await next()).toMatch(
      /^STATUS=the database gets its new shape, .*\nEXTEND_TIMEOUT_USEC=300000000$/,
    );
    expect(await next()).toMatch(/^STATUS=.*1000 results are copied\nEXTEND_TIMEOUT_USEC=\d+$/);
    expect(await next()).toMatch(/^STATUS=the database has its new shape.*\nEXTEND_TIMEOUT_USEC/);
    expect(await next()).toBe(`READY=1\nSTATUS=listens on ${url}`);
    io.stop.abort();
    expect(await ended).toBe(0);
  },
);

test("a service that is stopped while it brings an old database over ends with 0 and says that the database is whole", async () => {
  const database = newFile();
  databaseBefore(database, { monitors: 2, results: 50_000, begin: 0 });
  const io = captureIo({ PICKET_SERVICE_DATABASE: database });
  const ended = runService(["--listen", "127.0.0.1:0"], io);
  await once(io.stderr, "data");
  io.stop.abort();
  expect(await ended).toBe(0);
  expect(io.written.stdout()).toBe(
    "Stopped while the database was being opened: it is whole, and the next start opens it.\n",
  );
  expect(existsSync(`${database}.before`)).toBe(false);
});

test("what cannot be started says why in one line and ends with 1", async () => {
  const io = captureIo();
  const database = path.join(temporaryFolder(), "nowhere", "service.sqlite");
  expect(await runService(["--database", database, "--listen", "127.0.0.1:0"], io)).toBe(1);
  expect(io.written.stderr()).toMatch(/^picket service: cannot start: the database .*\n$/);
});

test.each([
  [["--listen", "8787"]],
  [["--listen", "127.0.0.1:65536"]],
  [["--colour"]],
  [["keys"]],
  [["key"]],
  [["key", "create", "--scope", "read"]],
  [["key", "create", "--name", "a", "--scope", "all"]],
  [["key", "revoke"]],
  [["key", "list", "this", "that"]],
])("wrong words %j are wrong usage, and make no file", async (args) => {
  const database = newFile();
  const io = captureIo({ PICKET_SERVICE_DATABASE: database });
  await expect(runService(args, io)).rejects.toThrow(UsageError);
  expect(existsSync(database)).toBe(false);
});

test("--help prints the usage and ends with 0", async () => {
  const io = captureIo();
  expect(await runService(["--help"], io)).toBe(0);
  expect(io.written.stdout()).toMatch(/^Usage: picket service/);
});
