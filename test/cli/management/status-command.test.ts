import { describe, expect, test } from "vitest";
import { runStatus } from "#cli/management/status-command";
import { systemClock } from "#base/clock";
import { seenService } from "../../support/seen-service.ts";

describe("picket status", () => {
  test("shows what fails first, since when, where and why, then silent locations", async () => {
    await using seen = await seenService();
    const { code, out, said } = await seen.run(["status"]);
    expect(said).toBe("");
    expect(code).toBe(1);
    const lines = out.split("\n");
    expect(lines[0]).toBe(
      "5 monitors: 1 error, 1 degraded, 1 unknown, 1 active, 1 inactive. 2 locations: 1 active, 1 silent.",
    );
    expect(lines.slice(3, 6)).toEqual([
      expect.stringMatching(
        /^✗ {2}db +error +.* office +connection refused \(10\.0\.0\.7:5432\), said "no"$/,
      ),
      expect.stringMatching(
        /^! {2}shop +degraded +.* office +slow: 250 ms, over the threshold of 100 ms$/,
      ),
      expect.stringMatching(/^\? {2}mail +unknown +.* – +no agent reports from berlin$/),
    ]);
    expect(out).toMatch(/^✗ {2}berlin +– +– +no agent of this location has ever reported$/m);
    expect(out).not.toMatch(/resting|planted/);
  });

  test("says of a monitor whose checks pass that its certificate ends, with the incident", async () => {
    await using seen = await seenService();
    const now = BigInt(seen.clock.wall());
    const day = 86_400_000n;
    const tls = { certificate: { validFrom: now - 85n * day, validTo: now + 5n * day } };
    const times = { timestamp: now + 1_000n, cronTimestamp: now + 1_000n };
    const value = { monitorId: seen.ids.cache, requestStatus: "success", ...times };
    const results = [{ result: { case: "tcp" as const, value }, detail: { tls } }];
    await seen.service.agent(seen.token).ingestBatch({ instanceId: "a", results });
    await expect
      .poll(async () => (await seen.run(["status"])).out, { timeout: 20_000 })
      .toMatch(/^! {2}cache +degraded +.* – +its certificate ends soon: incident \d+$/m);
  });

  test("says of a monitor that goes up and down that it flaps, also while it is up", async () => {
    await using seen = await seenService();
    const agent = seen.service.agent(seen.token);
    const statusNow = async (): Promise<string> => (await seen.run(["status"])).out;
    const checked = async (requestStatus: string): Promise<void> => {
      seen.clock.suspend(30_000);
      await agent.heartbeat({ instanceId: "a" });
      const at = BigInt(seen.clock.wall());
      const times = { timestamp: at, cronTimestamp: at };
      const value = { monitorId: seen.ids.cache, requestStatus, ...times };
      await agent.ingestBatch({ instanceId: "a", results: [{ result: { case: "tcp", value } }] });
      const word = requestStatus === "error" ? /^[✗!] {2}cache /m : /^(?!.*✗ {2}cache)/s;
      await expect.poll(statusNow, { timeout: 20_000 }).toMatch(word);
    };
    for (const one of "x..x..x") await checked(one === "x" ? "error" : "success");
    await expect.poll(statusNow).toMatch(/^✗ {2}cache +error +.* flapping \(incident \d+\)/m);
    expect((await seen.run(["status", "cache"])).out).toMatch(/^ {2}flapping \(incident \d+\)$/m);
    expect((await seen.run(["monitors"])).out).toMatch(/cache +tcp +error, flapping/);
    await checked("success");
    expect(await statusNow()).toMatch(
      /^✓ {2}cache +active +.* flapping \(incident \d+\): it is up now$/m,
    );
  });

  test("is JSON for a program, and 2 if something is degraded or unknown only", async () => {
    await using seen = await seenService();
    await seen.service.monitors(seen.key).deleteMonitor({ id: seen.ids.db });
    const { code, out } = await seen.run(["status", "--json"]);
    expect(code).toBe(2);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { kind: "summary", error: 0, degraded: 1, unknown: 1, active: 1, inactive: 1, locations: 2 },
      { kind: "monitor", name: "shop", status: "degraded", locations: ["office"] },
      { kind: "monitor", name: "mail", status: "unknown" },
      { kind: "location", name: "berlin", status: "unknown" },
    ]);
  });

  test("of a monitor shows its locations, the latencies of a day and the newest results", async () => {
    await using seen = await seenService();
    const { code, out } = await seen.run(["status", "shop"]);
    expect(code).toBe(2);
    expect(out).toMatch(
      /^! degraded {2}shop {2}http https:\/\/shop\.test\/health\n {2}slow: 250 ms/,
    );
    expect(out).toContain("24 h: 2 results, 0 error, 1 degraded; p50 ");
    expect(out).toMatch(/^! {2}office +degraded +/m);
    expect(out).toMatch(/^STARTED \(UTC\) +LOCATION +STATUS +ms +dns +wait +MESSAGE$/m);
    expect(out).not.toContain("planted");
    const json = await seen.run(["status", seen.ids.db, "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({
      kind: "monitor",
      name: "db",
      locations: [{ name: "office", status: "error", stale: false }],
      newest_results: [{ status: "error", phases_us: { connect: 3000, tls: null } }, {}],
    });
  });

  test("of a location shows what its monitors look like from there", async () => {
    await using seen = await seenService();
    const { code, out } = await seen.run(["status", "office"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^✓ active {2}office {2}last seen /);
    expect(out).toMatch(/^3 active monitors, 2 of them not passing as seen from here\.$/m);
    expect(out).toMatch(/^✗ {2}db +error$/m);
    const silent = await seen.run(["status", "berlin", "--json"]);
    expect(silent.code).toBe(1);
    expect(JSON.parse(silent.out)).toMatchObject({
      name: "berlin",
      agents: [],
      last_seen_at: null,
    });
  });

  test("of a location shows what is broken at its agents' own place, since when, and what to do", async () => {
    await using seen = await seenService();
    // The command goes by the real clock.
    const since = BigInt(systemClock.wall() - 84 * 3_600_000);
    const condition = (scope: string, subject: string, sentence: string, affected: bigint) => ({
      cause: { scope, subject, certainty: "proven", since, causeId: scope, sentence, affected },
    });
    const gateway = "the gateway 10.0.0.1 does not answer on this network";
    const server = "the name server 10.0.0.53:53 does not answer, and the others do";
    await seen.service.agent(seen.token).heartbeat({
      instanceId: "one",
      hostname: "node-7",
      conditions: [condition("gateway", "10.0.0.1", gateway, 3n)],
      warnings: [condition("resolver", "10.0.0.53:53", server, 0n)],
      remarks: [
        "field 7 has 2 monitors of a kind that it does not know: upgrade it",
        "b\u0007".repeat(900),
      ],
    });
    const { out } = await seen.run(["status", "office"]);
    const lines = out.split("\n");
    const first = lines.findIndex((line) => line.includes("gateway"));
    expect(lines.slice(first, first + 5)).toEqual([
      "✗  The gateway 10.0.0.1 does not answer on this network. For 3 days, seen by node-7: 3 monitors affected.",
      "   Check that the gateway is on and has that address: ip neigh shows the entry.",
      "!  The name server 10.0.0.53:53 does not answer, and the others do. For 3 days, seen by node-7: no check fails because of it yet.",
      "   Check the name servers, or set PICKET_DNS_SERVERS to others.",
      "!  Field 7 has 2 monitors of a kind that it does not know: upgrade it (node-7).",
    ]);
    // What an agent says is cut and cleaned like everything that comes from elsewhere.
    const [, long = ""] = /^!  (Bb?.*) \(node-7\)\.$/m.exec(out) ?? [];
    expect([long.length < 600, long.includes("\u0007")]).toEqual([true, false]);
    const json = JSON.parse((await seen.run(["status", "office", "--json"])).out);
    expect(json.agents).toMatchObject([
      {
        id: "one",
        conditions: [{ scope: "gateway", subject: "10.0.0.1", sentence: gateway, affected: 3 }],
        warnings: [{ scope: "resolver", since: new Date(Number(since)).toISOString() }],
        remarks: [expect.stringMatching(/^field 7 has 2 monitors/), expect.any(String)],
      },
    ]);
  });

  test("of a name that nothing has names the nearest one", async () => {
    await using seen = await seenService();
    expect(await seen.run(["status", "ofice"])).toMatchObject({
      code: 1,
      said: 'picket status: there is no monitor "ofice"; did you mean "office"?\n',
    });
    const far = await seen.run(["status", "something else"]);
    expect(far.said).toContain("picket monitors lists what there is");
  });

  test("--watch shows it again in place until Ctrl-C", async () => {
    await using seen = await seenService();
    const io = seen.io({}, { columns: 100, rows: 24 });
    const drawn: string[] = [];
    io.stdout.on("data", (text: Buffer) => {
      drawn.push(text.toString());
      if (drawn.filter((one) => one.includes("monitors:")).length === 1) {
        const change = seen.service.monitors(seen.key).deleteMonitor({ id: seen.ids.db });
        void change.then(() => seen.clock.advance(5_000));
      } else if (text.includes("4 monitors:")) io.stop.abort();
    });
    expect(await runStatus(["--watch"], io, seen.clock)).toBe(2);
    expect(drawn.join("")).toMatch(/5 monitors: 1 error[\s\S]*4 monitors: 1 degraded/);
    await expect(runStatus(["--watch"], seen.io(), seen.clock)).rejects.toThrow(/needs a terminal/);
  });

  test("--watch continues after a call that fails, and says so below what it saw", async () => {
    await using seen = await seenService();
    const io = seen.io({}, { columns: 100, rows: 24 });
    const drawn: string[] = [];
    io.stdout.on("data", (text: Buffer) => {
      drawn.push(text.toString());
      if (text.includes("could not be asked")) io.stop.abort();
      else if (text.includes("monitors:")) void revoked().then(() => seen.clock.advance(5_000));
    });
    const revoked = async (): Promise<void> => {
      const { admin } = seen.service;
      for (const { id } of await admin.listApiKeys()) await admin.revokeApiKey(id);
    };
    expect(await runStatus(["--watch"], io, seen.clock)).toBe(1);
    expect(drawn.join("")).toMatch(/could not be asked[\s\S]*trying again/);
  });

  test.each([60, 90])("in a terminal of %i columns has no longer line", async (columns) => {
    await using seen = await seenService();
    for (const args of [
      ["status"],
      ["status", "shop"],
      ["monitors"],
      ["locations"],
      ["results", "db"],
    ]) {
      const { out } = await seen.run(args, { terminal: { columns, rows: 24 } });
      const rows = out.split("\n").filter((line) => /^[✗!?✓–] {2}/.test(line));
      expect(Math.max(0, ...rows.map((line) => line.length))).toBeLessThan(columns);
    }
  });
});
