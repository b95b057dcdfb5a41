import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import path from "node:path";
import { expect, test } from "vitest";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { Authority } from "../../support/authority.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { quickFolder } from "../../support/running-service.ts";

test("over its own TLS, the service's cookie is of this host alone, and a browser keeps to TLS there", async () => {
  const authority = await Authority.create();
  const { cert: certificate, key: privateKey } = await authority.issue();
  await using service = await startService({
    database: path.join(quickFolder(), "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock: new FakeClock(),
    log: silentLogger,
    opensStore: openStoreHere,
    identity: { certificate, key: privateKey },
  });
  const { key } = await service.admin.createApiKey({ name: "ops", scope: "read" });
  const ask = async (
    to: string,
    headers: Record<string, string>,
    form = "",
  ): Promise<IncomingMessage> => {
    const asked = request(`${service.url}${to}`, {
      method: form === "" ? "GET" : "POST",
      servername: "localhost",
      ca: authority.cert,
      headers: { accept: "text/html", ...headers },
    });
    asked.end(form);
    const [answer] = await once(asked, "response");
    answer.resume();
    return answer;
  };
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const signedIn = await ask("/sign-in", type, `secret=${key}`);
  const set = signedIn.headers["set-cookie"]?.[0] ?? "";
  expect(set).toMatch(
    /^__Host-picket-session=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800; Secure$/,
  );
  const [cookie = ""] = set.split(";");
  expect((await ask("/", { cookie })).statusCode).toBe(200);
  // A neighbour's page may have set this one.
  for (const prefix of ["", "__Secure-"]) {
    const planted = cookie.replace("__Host-", prefix);
    expect((await ask("/", { cookie: planted })).statusCode, prefix).toBe(303);
  }
  const kept = async (host: string) =>
    (await ask("/", { host })).headers["strict-transport-security"];
  expect(await kept("picket.example.com")).toBe("max-age=15724800");
  // Another port of the same host may have a server that speaks no TLS.
  expect(await kept("picket.example.com:8787")).toBeUndefined();
});
