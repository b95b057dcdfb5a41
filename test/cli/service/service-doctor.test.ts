import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runService } from "#cli/service/service-command";
import { systemClock } from "#base/clock";
import * as limits from "#limits/status-limits";
import { pageDefaults } from "#service/status-page/page-definition";
import { MailServer } from "#service/edge/mail-server";
import { openSecretBox } from "#service/edge/secret-box";
import { openStore } from "#service/store/open-store";
import { publicAddressSetting } from "#service/store/state-store";
import { epochMillis } from "#base/units";
import { smtpWantsALogin, startMailServer } from "../../servers/mail-servers.ts";
import { closedPort } from "../../servers/scripted.ts";
import { Authority } from "../../support/authority.ts";
import { captureIo } from "../../support/captured-io.ts";
import { listenLocally } from "../../servers/listen-locally.ts";
import { temporaryFolder } from "../../support/running-service.ts";

const from = { PICKET_SMTP_FROM: "picket@example.test" };

/** What the command prints, and its exit code; nothing of it shows a password. */
async function doctor(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const io = captureIo(env);
  const code = await runService(["doctor", ...args], io);
  const stdout = io.written.stdout();
  expect(`${stdout}${io.written.stderr()}`).not.toContain("planted");
  const lineOf = (about: string): string | undefined =>
    stdout.split("\n").find((line) => line.slice(2).startsWith(`${about}:`));
  return { code, stdout, lineOf };
}

/** A server that wants TLS and a login, and the file of the authority that its certificate is from. */
async function guardedServer() {
  const authority = await Authority.create();
  const leaf = await authority.issue({ altNames: ["127.0.0.1"] });
  const ca = path.join(temporaryFolder(), "ca.pem");
  writeFileSync(ca, authority.cert);
  const server = await startMailServer({ ...leaf, ...smtpWantsALogin("picket", "planted-right") });
  const url = (password: string): string => `smtp://picket:${password}@127.0.0.1:${server.port}`;
  return { server, url, trust: { PICKET_CA_FILE: ca, ...from } };
}

describe("picket service doctor", () => {
  test("signs in at the mail server as for a mail, and sends none", async () => {
    const { server, url, trust } = await guardedServer();
    await using _server = server;
    const publicUrl = {
      PICKET_SERVICE_PUBLIC_URL: "https://picket.example.test",
      PICKET_SERVICE_TRUSTED_PROXIES: "127.0.0.1",
    };
    const env = { ...trust, ...publicUrl, PICKET_SMTP_URL: url("planted-right") };
    const { code, stdout } = await doctor(env);
    expect(stdout.split("\n")).toEqual([
      "✓ configuration: can be used",
      "✓ links: messages lead to https://picket.example.test/",
      `✓ mail: 127.0.0.1:${server.port} answers, and it takes the user and the password`,
      "",
    ]);
    expect(code).toBe(0);
    expect(server.mails).toEqual([]);
  });
  test("warns if a proxy speaks TLS before the service and is not named", async () => {
    const publicUrl = { PICKET_SERVICE_PUBLIC_URL: "https://picket.example.test" };
    const { code, lineOf } = await doctor(publicUrl);
    expect(lineOf("proxy")).toMatch(/^! proxy: .* PICKET_SERVICE_TRUSTED_PROXIES names none: /);
    expect(code).toBe(0);
    const plain = await doctor({ PICKET_SERVICE_PUBLIC_URL: "http://picket.example.test" });
    expect(plain.lineOf("proxy")).toBeUndefined();
  });
  test("says whether the database's file is whole, and what to restore if it is not", async () => {
    const database = path.join(temporaryFolder(), "a.db");
    const store = await openStore({ database, use: "service", onProgress: () => {} });
    await store[Symbol.asyncDispose]();
    const whole = await doctor({}, "--database", database);
    expect([whole.code, whole.lineOf("database")]).toEqual([0, "✓ database: the file is whole"]);
    const bytes = readFileSync(database);
    bytes.fill(0x5a, 3 * 4_096, 5 * 4_096);
    writeFileSync(database, bytes);
    const damaged = await doctor({}, "--database", database);
    expect(damaged.code).toBe(1);
    expect(damaged.lineOf("database")).toMatch(
      /^✗ database: the file is damaged: .+ Next: see the kernel's log, and restore the newest backup that picket service doctor --database BACKUP finds whole$/,
    );
    expect(damaged.lineOf("news")).toBeUndefined();
  });
  test("says once that PostgreSQL cannot be reached, and no password", async () => {
    const server = createServer();
    const port = await listenLocally(server);
    server.close();
    const database = `postgres://picket:planted@127.0.0.1:${port}/picket`;
    const { code, stdout, lineOf } = await doctor({}, "--database", database);
    expect(code).toBe(1);
    expect(lineOf("database")).toBe(
      `✗ database: PostgreSQL cannot be reached or does not let us in (connect ECONNREFUSED 127.0.0.1:${port}). Next: start it, or correct PICKET_SERVICE_DATABASE, and run this again`,
    );
    expect(stdout.split("ECONNREFUSED")).toHaveLength(2);
  });
  test("knows the public address that an owner gave on the pages, unless the file is damaged", async () => {
    const database = path.join(temporaryFolder(), "a.db");
    const store = await openStore({ database, use: "service", onProgress: () => {} });
    const links = async (env = {}) => (await doctor(env, "--database", database)).lineOf("links");
    expect(await links()).toMatch(/^! links: messages have no links.* Settings → Service/);
    await store.state.settings.put(publicAddressSetting, "https://given.example.test/");
    expect(await links()).toBe("✓ links: messages lead to https://given.example.test/");
    const setting = { PICKET_SERVICE_PUBLIC_URL: "https://set.example.test" };
    expect(await links(setting)).toBe("✓ links: messages lead to https://set.example.test/");
    await store[Symbol.asyncDispose]();
    const bytes = readFileSync(database);
    bytes.fill(0x5a, 3 * 4_096, 5 * 4_096);
    writeFileSync(database, bytes);
    expect(await links()).toBeUndefined();
  });
  test("signs in at the mail server that an owner gave on the pages, with the key of the service", async () => {
    const { server, trust } = await guardedServer();
    await using _server = server;
    const { PICKET_SMTP_FROM: sender, ...env } = trust;
    const database = path.join(temporaryFolder(), "a.db");
    await using store = await openStore({ database, use: "service", onProgress: () => {} });
    const box = openSecretBox(`${database}.key`);
    const given = new MailServer(store.state.settings, box, { setting: null, dkim: null });
    const { port } = server;
    const give = (password: string) =>
      given.change({
        host: "127.0.0.1",
        port,
        tls: "starttls",
        login: { user: "picket", password },
        from: sender,
      });
    const mail = async () => (await doctor(env, "--database", database)).lineOf("mail");
    await give("planted-right");
    expect(await mail()).toBe(
      `✓ mail: 127.0.0.1:${port} answers by STARTTLS, and it takes the user and the password`,
    );
    await give("planted-wrong");
    expect(await mail()).toBe(
      "✗ mail: the mail server does not take the user and the password (535): correct them in Settings → Mail. Next: do that, then run picket service doctor again",
    );
    const key = path.join(temporaryFolder(), "another.key");
    openSecretBox(key);
    const other = { ...env, PICKET_SERVICE_SECRET_FILE: key };
    expect((await doctor(other, "--database", database)).lineOf("mail")).toBe(
      `✗ mail: this could not be checked: the key in ${key} does not open the mail server's password. Next: fix that and run this again`,
    );
    expect(server.mails).toEqual([]);
  });
  test("says what to do if the password is wrong", async () => {
    const { server, url, trust } = await guardedServer();
    await using _server = server;
    const { code, lineOf } = await doctor({ ...trust, PICKET_SMTP_URL: url("planted-wrong") });
    expect(lineOf("mail")).toBe(
      "✗ mail: the mail server does not take the user and the password (535): correct PICKET_SMTP_URL. Next: do that, then run picket service doctor again",
    );
    expect(code).toBe(1);
  });
  test("says what to do if nothing listens, and what is missing next to it", async () => {
    const port = await closedPort();
    const given = { ...from, PICKET_SMTP_URL: `smtp://127.0.0.1:${port}` };
    const { code, lineOf } = await doctor(given);
    expect(lineOf("mail")).toBe(
      `✗ mail: the mail server is not reached at 127.0.0.1:${port}: connection refused. Next: check that it runs and that no firewall blocks port ${port}, or correct PICKET_SMTP_URL; then run picket service doctor again`,
    );
    expect(lineOf("links")).toMatch(/^! links: messages have no links.*PICKET_SERVICE_PUBLIC_URL/);
    expect(code).toBe(1);
  });
  test("says how long news to subscribers wait in the service's database, and warns when that is long", async () => {
    const database = path.join(temporaryFolder(), "service.sqlite");
    const said = async () => (await doctor({}, "--database", database)).lineOf("news");
    expect(await said()).toBeUndefined();
    await using store = await openStore({ database, use: "command", onProgress: () => {} });
    expect(await said()).toBe("✓ news: none wait for subscribers of status pages");
    const definition = { ...pageDefaults, title: "Acme", slug: "acme" };
    const made = { uid: "u", definition, sealed: "", owner: "", labels: {} };
    const asked = {
      page: 1,
      locale: "en",
      reader: "",
      components: null,
      sealed: "s",
      mayGet: true,
    } as const;
    const now = systemClock.wall();
    await store.pages.pages.create({ ...made, at: now });
    await store.readers.subscribers.ask({ ...asked, mark: "new", at: now });
    expect(await said()).toMatch(/^✓ news: 1 message to subscribers of status pages waits/);
    const before = epochMillis(now - 2 * limits.lettersLateAfter - 1);
    await store.readers.subscribers.ask({ ...asked, mark: "old", at: before });
    expect(await said()).toMatch(
      /^! news: 2 messages to subscribers .* wait, the oldest for 120 minutes\. Next: check that the service runs/,
    );
  });
  test("says that a setting cannot be used, and that mail is off", async () => {
    const wrong = await doctor({ PICKET_SMTP_URL: "smtp://127.0.0.1:25" });
    expect(wrong.lineOf("configuration")).toMatch(
      /^✗ configuration: mail needs PICKET_SMTP_FROM too\. Next: correct it/,
    );
    expect(wrong.lineOf("mail")).toBeUndefined();
    const off = await doctor({}, "--json");
    expect(off.code).toBe(0);
    expect(JSON.parse(off.stdout)).toMatchObject({
      ok: true,
      findings: [
        { about: "configuration", level: "fine" },
        { about: "links", level: "warning" },
        {
          about: "mail",
          level: "fine",
          says: "off, because neither PICKET_SMTP_URL nor Settings → Mail sets a server",
        },
      ],
    });
  });
});
