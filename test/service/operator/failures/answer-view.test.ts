import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import {
  BatchResultSchema,
  type CheckAnswerSchema,
  IngestHTTPRequestSchema,
} from "#contract/private_location/v1/private_location_pb";
import { type HttpDefinition, httpDefaults } from "#check/definition";
import { openStore } from "#service/store/open-store";
import { poolOf } from "#service/store/postgres/pool";
import { OwnSecrets } from "#service/monitors/own-secrets";
import { answerView } from "#service/operator/failures/answer-view";
import { type OperatorScene, operatorScene } from "../../../support/operator-scene.ts";
import { isPostgresInstalled, startPostgres } from "../../../support/postgres-server.ts";
import { byAccount } from "../../../support/signed-in.ts";

/** Those of a monitor that sends none. */
const noSecrets = new OwnSecrets(httpDefaults);

interface Reported {
  readonly requestStatus: "success" | "degraded" | "error";
  readonly statusCode: number;
  readonly headers?: string;
  readonly body?: string;
}

const definition: HttpDefinition = {
  ...httpDefaults,
  name: "shop",
  url: "https://shop.test/health",
  periodicity: "1m",
  headers: [{ key: "X-Api-Key", value: "k3y-of-the-shop" }],
  active: true,
};

/** A monitor and what its agent reports of it by plain calls, a minute after the other. */
async function reported(
  scene: OperatorScene,
  results: readonly Reported[],
): Promise<{ readonly id: string }> {
  const { service, clock } = scene;
  const { id } = await service.admin.createMonitor(definition, "management");
  const made = { name: "office", monitorIds: [id], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(made);
  for (const [index, result] of results.entries()) {
    const at = String(clock.wall() - (results.length - index) * 60_000);
    const said = { id: at, monitorId: id, latency: "7", timestamp: at, cronTimestamp: at };
    const failed = result.requestStatus === "error" ? { error: "1", message: "it failed" } : {};
    const taken = await fetch(
      `${service.url}/private_location.v1.PrivateLocationService/IngestHTTP`,
      {
        method: "POST",
        headers: { "content-type": "application/json", "x-service-token": token },
        body: JSON.stringify({ ...said, ...failed, ...result }),
      },
    );
    expect(taken.status).toBe(200);
  }
  return { id };
}

const failed = (upstream: string): Reported => ({
  requestStatus: "error",
  statusCode: 502,
  headers: JSON.stringify({ "X-Upstream": upstream, "X-Echo": "k3y-of-the-shop" }),
  body: `<p>${upstream} is away, k3y-of-the-shop</p>`,
});

const answerOf = (
  fields: Reported,
  secrets = noSecrets,
  detail: MessageInitShape<typeof BatchResultSchema> = {},
) => {
  const value = create(IngestHTTPRequestSchema, {
    ...fields,
    statusCode: BigInt(fields.statusCode),
    url: "https://ann:pass@shop.test/?key=secret",
  });
  const result = create(BatchResultSchema, { result: { case: "http", value }, ...detail });
  return answerView(result, secrets, "whole")?.text.replaceAll(/\s+/g, " ") ?? null;
};

describe("what the server answered", () => {
  test("is shown of a check that failed or was slow, and of no other", () => {
    const headers = JSON.stringify({ Server: "nginx" });
    expect(answerOf({ requestStatus: "error", statusCode: 500, headers })).toContain("nginx");
    expect(answerOf({ requestStatus: "degraded", statusCode: 200, headers })).toContain("nginx");
    expect(answerOf({ requestStatus: "success", statusCode: 200, headers })).toBeNull();
    expect(answerOf({ requestStatus: "error", statusCode: 0, headers: "null" })).toBeNull();
  });

  test("is folded of a check that passed, if its agent sends what was answered as after Try now", () => {
    const headers = JSON.stringify({ Server: "nginx", "Set-Cookie": "planted" });
    const well = { requestStatus: "success", statusCode: 200, headers } as const;
    const answer = { body: '{"ok":true,"token":"t0ken"}', bodyBytes: 27n };
    const seen = answerOf(well, noSecrets, { detail: { answer } });
    expect(seen).toMatch(/^<details class="answered"> <summary>.*<strong>200 OK</);
    expect(seen).toContain("nginx");
    expect(seen).toContain("{&quot;ok&quot;:true,&quot;token&quot;:&quot;[removed]&quot;}</pre>");
    expect(seen).not.toMatch(/planted|t0ken/);
    const kept = { answer: { bodyBytes: 27n } };
    expect(answerOf(well, noSecrets, { detail: kept })).toContain("It stayed with the agent");
    expect(answerOf({ ...well, requestStatus: "error" })).toMatch(/^<div class="answered">/);
  });

  test("says why there is no body, with a command that shows no query and no user-info", () => {
    const seen = answerOf({ requestStatus: "error", statusCode: 500, headers: "{}" });
    expect(seen).toContain("The agent sent no body. Upgrade the agent, or run <code>picket check");
    expect(seen).toContain("picket check --explain https://shop.test/</code>");
    expect(answerOf({ requestStatus: "degraded", statusCode: 200, headers: "{}" })).toContain(
      "The body was empty.",
    );
  });

  test("has the body that an agent sends of a failed check, and says why it has none of it", () => {
    const of = (answer: MessageInitShape<typeof CheckAnswerSchema>) =>
      answerOf({ requestStatus: "error", statusCode: 500, headers: "{}" }, noSecrets, {
        detail: { answer },
      });
    expect(of({ body: '{"why":"<disk>"}', bodyBytes: 16n })).toMatch(
      /Body, 16 bytes<.*\{&quot;why&quot;:&quot;&lt;disk&gt;&quot;\}<\/pre>/,
    );
    expect(of({ body: "x".repeat(2_048), bodyBytes: 70_000n })).toContain(
      "Body, the first 2 KiB of 68 KiB",
    );
    expect(of({ body: "x".repeat(2_048), bodyBytes: 10_485_760n, bodyCut: true })).toContain(
      "Body, the first 2 KiB of at least 10 MiB",
    );
    expect(of({ body: "x", bodyBytes: 1n, bodyCut: true })).toContain("Body, the first 1 byte");
    expect(of({})).toContain("The body was empty.");
    expect(of({ bodyCut: true })).toContain("Nothing of the body could be read. To see it, run");
    expect(of({ bodyBytes: 300n })).toContain(
      "Body, 300 bytes. It stayed with the agent, whose <code>PICKET_EVIDENCE</code> is",
    );
  });

  test("has no credential, also where a service of an older version kept it as it came", () => {
    const headers = JSON.stringify({ "Set-Cookie": "planted", "X-Echo": "k3y-of-the-shop" });
    const raw = { requestStatus: "degraded", statusCode: 200, headers } as const;
    const seen = answerOf({ ...raw, body: "k3y-of-the-shop" }, new OwnSecrets(definition));
    expect(seen).not.toMatch(/planted|k3y/);
    expect(seen).toContain("[removed]</pre>");
  });

  test("shows characters that would turn or hide text by their numbers, and says how long the body was", () => {
    const body = `one\u202etwo\tthree\r\n<b>`;
    const seen = answerOf({ requestStatus: "degraded", statusCode: 299, headers: "{}", body });
    expect(seen).toContain("one\\u{202e}two three &lt;b&gt;</pre>");
    expect(seen).toContain("Body, 20 bytes");
    expect(seen).toContain("<strong>299</strong>");
    const whole = "x".repeat(64 * 1_024);
    expect(
      answerOf({ requestStatus: "degraded", statusCode: 200, headers: "{}", body: whole }),
    ).toContain("Body, the first 2 KiB of at least 64 KiB");
  });

  test("is on the page of an incident of its last and of its first failing check, and in the store without the monitor's secret", async () => {
    const scene = await operatorScene({ days: 0 });
    const { id } = await reported(scene, ["db-1", "db-2", "db-3"].map(failed));
    const monitor = await (await scene.get(`/monitors/${id}`)).text();
    expect(monitor).toContain("&lt;p&gt;db-3 is away, [removed]&lt;/p&gt;");
    await expect.poll(async () => (await scene.get("/incidents/1")).status).toBe(200);
    const incident = await (await scene.get("/incidents/1")).text();
    const [last = "", first = ""] = incident.split('id="first-check"');
    expect(last).toContain("&lt;p&gt;db-3 is away, [removed]&lt;/p&gt;");
    // What failed is the answer, so a monitor's page begins with it; an incident's begins with when it was.
    const order = (page: string): boolean => page.indexOf("db-3 is away") < page.indexOf("Started");
    expect([order(monitor), order(last)]).toEqual([true, false]);
    expect(first).toContain("&lt;p&gt;db-1 is away, [removed]&lt;/p&gt;");
    expect(monitor + incident).not.toContain("k3y");
    using database = new DatabaseSync(scene.database, { readOnly: true });
    const rows = database.prepare("SELECT message, payload FROM result_details").all();
    expect(rows).toHaveLength(3);
    const stored = rows.map(({ payload }) =>
      payload instanceof Uint8Array ? Buffer.from(payload).toString() : "",
    );
    expect(stored.join()).toContain("db-2 is away");
    expect(stored.join()).not.toContain("k3y");
  });

  test.skipIf(!isPostgresInstalled())("is the same from PostgreSQL", async () => {
    await using server = await startPostgres();
    const database = server.fresh();
    const opensStore: typeof openStore = (place) => openStore({ ...place, database });
    const scene = await operatorScene({ days: 0, opensStore });
    const { id } = await reported(scene, [failed("db-1")]);
    const page = await (await scene.get(`/monitors/${id}`)).text();
    expect(page).toContain("&lt;p&gt;db-1 is away, [removed]&lt;/p&gt;");
    await using pool = poolOf(database);
    const where = "FROM result_details WHERE position('k3y' IN encode(payload, 'escape'))";
    const { rows } = await pool.use((query) => query(`SELECT slot ${where} = 0`));
    expect(rows).toHaveLength(1);
    await scene.service[Symbol.asyncDispose]();
  });

  test("of an agent with the extension is there with what the assertion received, for responders alone, and of a passed one nothing", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const { service, clock } = scene;
    const { id } = await service.admin.createMonitor(definition, "management");
    const made = { name: "office", monitorIds: [id], metadata: {} };
    const { token } = await service.admin.createPrivateLocation(made);
    const evaluations = [{ kind: "body", expected: 'body contains "ok"', received: "the disk" }];
    const answer = { body: "the disk is full, k3y-of-the-shop", bodyBytes: "33" };
    const results = ["success", "error"].map((requestStatus, index) => {
      const at = String(clock.wall() - (2 - index) * 60_000);
      const names = { id: at, monitorId: id, timestamp: at, cronTimestamp: at };
      const http = { ...names, latency: "7", requestStatus, statusCode: "500", headers: "{}" };
      return { http, detail: { evaluations, answer } };
    });
    const taken = await fetch(
      `${service.url}/private_location.v1.PrivateLocationService/IngestBatch`,
      {
        method: "POST",
        headers: { "content-type": "application/json", "x-service-token": token },
        body: JSON.stringify({ instanceId: "one", results }),
      },
    );
    expect(JSON.stringify(await taken.json())).toMatch(/(?:RECEIPT_ACCEPTED.*){2}/);
    const reader = await byAccount(scene, "rea@example.com", "reader");
    const responder = await byAccount(scene, "res@example.com", "responder");
    const seen = await responder.text(`/monitors/${id}`);
    expect(seen).toContain("Body does not contain &quot;ok&quot;: received the disk<");
    expect(seen).toContain("the disk is full, [removed]</pre>");
    expect(seen.match(/the disk is full/g)).toHaveLength(1);
    const read = await reader.text(`/monitors/${id}`);
    expect(read).toContain("Body does not contain &quot;ok&quot;<");
    expect(read).not.toContain("the disk");
    using database = new DatabaseSync(scene.database, { readOnly: true });
    const rows = database.prepare("SELECT payload FROM result_details").all();
    const kept = rows.map(({ payload }) =>
      payload instanceof Uint8Array ? Buffer.from(payload).toString() : "",
    );
    expect(kept.join().match(/the disk is full/g)).toHaveLength(1);
    expect(kept.join()).not.toContain("k3y");
  });

  test("is for responders: a reader sees the status, and whom to ask for the rest", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const { id } = await reported(scene, [failed("db-1")]);
    const reader = await byAccount(scene, "rea@example.com", "reader");
    const responder = await byAccount(scene, "res@example.com", "responder");
    await expect.poll(async () => (await responder.get("/incidents/1")).status).toBe(200);
    for (const to of [`/monitors/${id}`, "/incidents/1"]) {
      const seen = await reader.text(to);
      expect(seen).toContain("502 Bad Gateway");
      expect(seen).toContain("Headers and body are shown to responders, editors and owners");
      expect(seen).not.toMatch(/db-1|X-Upstream/);
      expect(await responder.text(to)).toContain("db-1 is away");
    }
  });
});
