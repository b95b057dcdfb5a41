import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { notificationData } from "#service/notify/notification-message";
import { wireProviders } from "#service/notify/notification-providers";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { main } from "../../../src/main.ts";
import { captureIo } from "../../support/captured-io.ts";
import { seenService, type SeenService } from "../../support/seen-service.ts";

describe("picket results", () => {
  test("lists the newest first, with phases, as text, JSON and CSV", async () => {
    await using seen = await seenService();
    const { code, out } = await seen.run(["results", "db"]);
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^STARTED \(UTC\) +LOCATION +STATUS +ms +connect +MESSAGE$/),
      expect.stringMatching(/^2025-12-31 23:59:30 +office +✗ +error +3 +3\.0 +connection refused /),
      expect.stringMatching(/^2025-12-31 23:59:00 /),
      "",
    ]);
    const json = await seen.run(["results", "db", "--json", "--last", "1"]);
    expect(JSON.parse(json.out)).toMatchObject({
      location: "office",
      status: "error",
      failure_code: "connection_refused",
      latency_ms: 3,
      phases_us: { connect: 3000, dns: null },
      slot: "2025-12-31T23:59:30.000Z",
    });
    const csv = await seen.run(["results", "db", "--csv", "--last", "1"]);
    const [head = "", row = ""] = csv.out.split("\r\n");
    expect(head).toMatch(/^started_at,slot,location,status,latency_ms,.*,connect_us,.*,message$/);
    expect(row).toMatch(
      /,office,error,3,,connection_refused,connect,,3000,,,,,,"connection refused \(10\.0\.0\.7:5432\), said ""no"""$/,
    );
  });

  test("of a location, and only the failed ones", async () => {
    await using seen = await seenService();
    const failed = await seen.run([
      "results",
      "shop",
      "--failed",
      "--json",
      "--location",
      "office",
    ]);
    expect(
      failed.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).status),
    ).toEqual(["degraded"]);
    expect((await seen.run(["results", "cache", "--failed"])).out).toBe(
      "All of the newest 2 results passed.\n",
    );
    expect((await seen.run(["results", "mail"])).out).toBe("There is no result yet.\n");
    expect(await seen.run(["results", "cache", "--location", "ofice"])).toMatchObject({
      code: 1,
      said: expect.stringContaining('did you mean "office"?'),
    });
  });

  test.each([
    [["results"], "results takes one MONITOR"],
    [["results", "a", "--last", "0"], "--last must be in 1 to 10000"],
    [["results", "a", "--json", "--csv"], "cannot be used together"],
    [["status", "a", "b"], "status takes one name"],
    [["monitors", "--json", "--names"], "cannot be used together"],
    [["check-now"], "check-now takes one MONITOR"],
    [["token", "rotate"], "token takes rotate LOCATION"],
    [["token", "rotate", "a", "--overlap", "1"], "--overlap must be a duration"],
    [["delete", "monitor"], "delete takes a KIND and a NAME"],
    [["delete", "monitro", "a"], "did you mean monitor?"],
  ])("%j is wrong usage, said before any service is asked", async (args, sentence) => {
    const io = captureIo();
    expect(await main(args, io)).toBe(64);
    expect(io.written.stderr()).toContain(sentence);
  });
});

describe("picket monitors and locations", () => {
  test("list what there is, for people, programs and shells", async () => {
    await using seen = await seenService();
    const { out } = await seen.run(["monitors"]);
    expect(out).toMatch(/^✗ {2}db +tcp +error +1 +\d+ +db\.test:5432$/m);
    expect(out).toMatch(/^– {2}resting +tcp +inactive /m);
    expect(out).toMatch(/^5 monitors\.$/m);
    expect(out).not.toContain("planted");
    expect((await seen.run(["monitors", "--names"])).out).toBe("shop\ndb\ncache\nresting\nmail\n");
    const json = (await seen.run(["locations", "--json"])).out.trim().split("\n");
    expect(json.map((line) => JSON.parse(line))).toMatchObject([
      { name: "office", status: "active", monitors: 4 },
      { name: "berlin", status: "unknown", monitors: 1, last_seen_at: null },
    ]);
    expect((await seen.run(["locations"])).out).toMatch(/^\? {2}berlin +unknown +1 /m);
  });

  test("say of a gRPC monitor that it takes any certificate", async () => {
    await using seen = await seenService();
    const monitors = seen.service.monitors(seen.key);
    const usual = { uri: "orders.test:443", periodicity: 1 };
    await monitors.createGRPCMonitor({ monitor: { ...usual, name: "loose", tlsMode: 3 } });
    await monitors.createGRPCMonitor({ monitor: { ...usual, name: "strict", tlsMode: 1 } });
    const { out } = await seen.run(["monitors"]);
    expect(out).toMatch(/ loose .* orders\.test:443, certificate not verified$/m);
    expect(out).toMatch(/ strict .* orders\.test:443$/m);
    const { out: status } = await seen.run(["status", "loose"]);
    expect(status).toContain("grpc orders.test:443, certificate not verified");
  });
  test("say what to do without a service or a key", async () => {
    await using seen = await seenService();
    const { code, said } = await seen.run(["monitors"], { env: { SERVICE_API_KEY: "" } });
    expect(code).toBe(1);
    expect(said).toMatch(/SERVICE_API_KEY is not set: .* picket service key create makes one/);
    const wrong = await seen.run(["monitors"], { env: { SERVICE_API_KEY: "pkt_key_planted" } });
    expect(wrong.said).toMatch(/^picket monitors: The service does not know the key/);
    expect(wrong.said).not.toContain("planted");
  });
});

/** An agent of office that answers each check now so. */
async function answering(seen: SeenService, result: object | null): Promise<void> {
  const url = `${seen.service.url}/private_location.v1.PrivateLocationService/Watch`;
  const socket = new WebSocket(url, { headers: { "x-service-token": seen.token } });
  onTestFinished(() => socket.terminate());
  socket.on("message", (data: Buffer) => {
    const { checkNow } = JSON.parse(data.toString());
    if (checkNow === undefined) return;
    const answer = {
      requestId: checkNow.requestId,
      ...(result === null ? { error: "it is stopping" } : { result }),
    };
    socket.send(JSON.stringify({ checkNowAnswer: answer }));
  });
  await once(socket, "message");
}

describe("picket check-now", () => {
  test("shows what each agent answers, with its phases and its own work", async () => {
    await using seen = await seenService();
    await answering(seen, {
      tcp: { id: "a", monitorId: seen.ids.db, requestStatus: "success", latency: "7" },
      detail: { phases: { connectNs: "7000000" }, ownNs: "3000000" },
    });
    const { code, out } = await seen.run(["check-now", "db"]);
    expect(out).toMatch(
      /^✓ success {2}office.* {2}7 ms\n {2}connect +7\.000 ms +70 % {2}█+\n {2}own +3\.000 ms {2}the agent's own work .*\n$/,
    );
    expect(code).toBe(0);
    const json = JSON.parse((await seen.run(["check-now", "db", "--json"])).out);
    expect(json).toMatchObject({
      location: "office",
      status: "success",
      phases_ns: { connect: 7e6 },
      own_ns: 3e6,
    });
  });

  test("says of an agent that could not, and of a location without one, why", async () => {
    await using seen = await seenService();
    await answering(seen, null);
    const { code, out } = await seen.run(["check-now", "db"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^\? not checked {2}office.*\n {2}it is stopping\n$/);
    const alone = await seen.run(["check-now", "mail"]);
    expect(alone.code).toBe(1);
    expect(alone.out).toMatch(/^\? not checked {2}berlin\n {2}\S.*connected/);
    expect((await seen.run(["check-now", "mail", "--location", "office"])).said).toContain(
      'there is no location "office"',
    );
  });
});

describe("picket token rotate", () => {
  test("prints the new token alone on stdout, and both work for the overlap", async () => {
    await using seen = await seenService();
    const { code, out, said } = await seen.run(["token", "rotate", "office", "--overlap", "10m"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^pkt_loc_\S+\n$/);
    expect(said).toContain('The old token of "office" works until 2026-01-01 00:10:00 UTC.');
    await seen.service.agent(out.trim()).monitors({});
    await seen.service.agent(seen.token).monitors({});
  });
});

describe("picket delete", () => {
  test("shows what goes and asks; only yes deletes", async () => {
    await using seen = await seenService();
    for (const typed of ["", "no\n", "y\n"]) {
      const { code, said } = await seen.run(["delete", "monitor", "shop"], { typed });
      expect(code).toBe(1);
      expect(said).toContain(
        'Delete the http monitor "shop" (https://shop.test/health), with all its results? Type yes: ',
      );
      expect(said).toContain("Nothing was deleted.");
    }
    const { code, out } = await seen.run(["delete", "monitor", "shop"], { typed: "yes\n" });
    expect({ code, out }).toEqual({
      code: 0,
      out: 'Deleted the http monitor "shop" (https://shop.test/health).\n',
    });
    const left = await seen.run(["monitors", "--names"]);
    expect(left.out).not.toContain("shop");
  });

  test("a channel, a page by its slug and a maintenance by its title go too", async () => {
    await using seen = await seenService();
    const { url } = seen.service;
    const { notifications, statusPages, maintenances } = connectManagement(
      url,
      seen.key,
      directWay(),
    );
    await notifications.createNotification({
      name: "ops",
      provider: wireProviders.ntfy,
      data: notificationData("ntfy", { topic: "shop" }),
    });
    const { statusPage } = await statusPages.createStatusPage({ title: "Acme", slug: "acme" });
    await maintenances.createMaintenance({
      title: "Upgrade",
      message: "Soon",
      from: "2036-01-01T00:00:00Z",
      to: "2036-01-01T01:00:00Z",
      pageId: statusPage?.id ?? "",
    });
    const gone = async (kind: string, name: string) =>
      (await seen.run(["delete", kind, name, "--yes"])).out;
    expect(await gone("maintenance", "Upgrade")).toBe(
      'Deleted the maintenance "Upgrade" from 2036-01-01T00:00:00.000Z.\n',
    );
    expect(await gone("page", "acme")).toBe('Deleted the status page "acme" (Acme).\n');
    expect(await gone("notification", "ops")).toBe('Deleted the notification channel "ops".\n');
    expect((await seen.run(["delete", "page", "acme", "--yes"])).said).toContain(
      'there is no status page "acme"; the service has none',
    );
  });

  test("--yes does not ask; a name that two monitors have needs an id", async () => {
    await using seen = await seenService();
    expect((await seen.run(["delete", "location", "berlin", "--yes"])).out).toBe(
      'Deleted the private location "berlin", which runs 1 monitor.\n',
    );
    const monitors = seen.service.monitors(seen.key);
    const { monitor } = await monitors.createTCPMonitor({
      monitor: { name: "db", uri: "other.test:1", periodicity: 1 },
    });
    const { code, said } = await seen.run(["delete", "monitor", "db", "--yes"]);
    expect(code).toBe(1);
    expect(said).toContain(
      `the service has 2 monitors named "db": give one's id, ${seen.ids.db} or ${monitor?.id}`,
    );
    expect((await seen.run(["delete", "monitor", seen.ids.db, "-y"])).code).toBe(0);
  });
});
