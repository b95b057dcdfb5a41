import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMailServer } from "../../../servers/mail-servers.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../../support/postgres-server.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { twoReplicas } from "../../../support/two-replicas.ts";

describe.skipIf(!isPostgresInstalled())("two replicas on one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("send by the mail server that an owner gave at one of them, and stop when it is taken away at the other", async () => {
    await using mails = await startMailServer();
    const [one, other] = await twoReplicas(server, "local");
    const text = async (url: string): Promise<string> => (await fetch(url)).text();
    const send = async (url: string, path: string, fields: Record<string, string> = {}) => {
      const form = formTokenIn(await text(`${url}/settings/mail`));
      const body = new URLSearchParams({ form, ...fields });
      const headers = { accept: "text/html" };
      return fetch(`${url}${path}`, { method: "POST", redirect: "manual", body, headers });
    };
    const lacking = "E-mail cannot be used yet";
    const form = (url: string) => text(`${url}/channels/new/email`);
    expect(
      [await form(one.url), await form(other.url)].map((page) => page.includes(lacking)),
    ).toEqual([true, true]);
    const given = { host: "127.0.0.1", security: "if-offered", port: String(mails.port) };
    await send(one.url, "/settings/mail", { ...given, sender: "picket@example.com" });
    expect(await text(`${other.url}/settings/mail`)).toContain(`value="${mails.port}"`);
    const channel = { email: "ops@example.com", all_monitors: "yes", events: "error", test: "yes" };
    const tested = await send(other.url, "/channels/new/email", channel);
    expect(await tested.text()).toContain("accepted the test message");
    expect(mails.mails.length).toBe(1);
    await send(other.url, "/settings/mail/delete");
    expect(
      [await form(one.url), await form(other.url)].map((page) => page.includes(lacking)),
    ).toEqual([true, true]);
  });
});
