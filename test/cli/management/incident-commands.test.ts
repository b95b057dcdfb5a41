import { describe, expect, test } from "vitest";
import { runSilence } from "#cli/management/silence-command";
import { main } from "../../../src/main.ts";
import { alertedOffice, type Office } from "../../service/alerts/alerted-office.ts";
import { notedIncident } from "../../support/noted-incident.ts";
import { hours } from "#base/units";
import { captureIo } from "../../support/captured-io.ts";

const ioFor = ({ service, key }: Office) =>
  captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: key, NO_COLOR: "1" });

async function run(office: Office, ...args: readonly string[]) {
  const io = ioFor(office);
  const code = await main(args, io);
  return { code, out: io.written.stdout(), said: io.written.stderr() };
}

/** An office whose monitor m0 is down, which its channel ops has heard of. */
async function down(): Promise<Office> {
  const office = await alertedOffice();
  await office.channel("ops");
  await office.beat();
  await office.report("error");
  await office.until(() => office.mailbox.taken.length > 0);
  return office;
}

describe("picket incidents, ack and deliveries", () => {
  test("show what is down, what was sent about it, and that a person takes care of it", async () => {
    const office = await down();
    const open = await run(office, "incidents");
    expect(open).toMatchObject({ code: 0, said: "" });
    expect(open.out).toMatch(/^✗ +1 {2}monitor +m0 +error +\d{4}-/m);
    expect(open.out).toMatch(/^1 open incident\.$/m);
    expect(await run(office, "ack", "1")).toMatchObject({
      code: 0,
      out: "Incident 1 is acknowledged.\n",
    });
    const one = await run(office, "incidents", "1");
    expect(one.out).toMatch(/acknowledged by key /);
    expect(one.out).toMatch(/^AT \(UTC\) +EVENT +SEVERITY\n.* opened +error\n.* acknowledged/m);
    const json = JSON.parse((await run(office, "incidents", "1", "--json")).out);
    expect(json).toMatchObject({
      number: 1,
      name: "m0",
      ended_at: null,
      events: [{ kind: "opened" }, { kind: "acknowledged" }],
    });
    const sent = await run(office, "deliveries", "--incident", "1");
    expect(sent.out).toMatch(/ +1 {2}\S+ +\S.* +sent +1/);
    expect(JSON.parse((await run(office, "deliveries", "--json")).out)).toMatchObject({
      incident: 1,
      state: "sent",
      attempts: 1,
    });
    expect((await run(office, "deliveries", "--state", "dropped")).out).toBe("0 deliveries.\n");
  });

  test("say in words why a message waits, and as JSON by its reason", async () => {
    const office = await alertedOffice();
    await office.channel("ops", "slack", { delay: hours(1) });
    await office.beat();
    await office.report("error");
    const waits = async (): Promise<string> =>
      (await run(office, "deliveries", "--state", "waiting")).out;
    await office.until(async () => (await waits()).includes("delay"));
    expect(await waits()).toMatch(/ waiting +0 {2}the channel's delay has not passed$/m);
    const { out } = await run(office, "deliveries", "--json");
    expect(JSON.parse(out)).toMatchObject({ state: "waiting", reason: "delay" });
  });

  test("say in words why an incident was closed that did not recover", async () => {
    const office = await alertedOffice();
    const at = office.clock.wall();
    const endings = [
      [{ kind: "monitor", id: 1 }, "deactivated"],
      [{ kind: "location", id: 2 }, "deleted"],
      [{ kind: "channel", id: 3 }, "recovered"],
    ] as const;
    for (const [subject, because] of endings) {
      const change = notedIncident(subject, at);
      await office.store.alerts.incidents.note({
        ...change,
        incident: { ...change.incident, ended: { at, because } },
      });
    }
    const { out } = await run(office, "incidents", "--all");
    for (const line of [
      "– .* closed: monitor paused",
      "– .* closed: location deleted",
      "✓ .* recovered",
    ])
      expect(out).toMatch(new RegExp(`^${line}$`, "m"));
    expect(out).not.toContain("deactivated");
    const [first = ""] = (await run(office, "incidents", "--all", "--json")).out.split("\n");
    expect(["deactivated", "deleted", "recovered"]).toContain(JSON.parse(first).ended_because);
  });

  test("say of a number that no incident has, that there is none", async () => {
    const office = await down();
    for (const command of ["incidents", "ack"]) {
      const { code, said } = await run(office, command, "9");
      expect(code).toBe(1);
      expect(said).toMatch(/there is no incident 9/);
    }
  });
});

describe("picket silence", () => {
  test("lasts for its time, is listed by names, and ends when asked", async () => {
    const office = await alertedOffice();
    const io = ioFor(office);
    const args = ["m0", "--label", "team=shop", "--for", "2h", "--reason", "known"];
    expect(await runSilence(args, io, office.clock)).toBe(0);
    const [, id = ""] = /^Silence (\S+) lasts until /.exec(io.written.stdout()) ?? [];
    expect(id).not.toBe("");
    const list = await run(office, "silence", "--list");
    expect(list.out).toMatch(new RegExp(`^${id} +m0, team=shop +\\d{4}-\\S+ \\S+ +known$`, "m"));
    expect((await run(office, "silence", "--end", id)).out).toBe(`Silence ${id} has ended.\n`);
    expect((await run(office, "silence", "--list")).out).toBe("0 silences.\n");
    expect((await run(office, "silence", "m00", "--for", "1h")).said).toContain(
      'did you mean "m0"?',
    );
  });

  test.each([
    [["silence", "--for", "1h"], "silence needs a MONITOR, --location or --label"],
    [["silence", "m0"], "silence needs --for"],
    [["silence", "m0", "--for", "soon"], "silence needs --for"],
    [["silence", "--label", "=x", "--for", "1h"], "--label must be KEY=VALUE"],
    [["ack"], "ack takes one NUMBER"],
    [["ack", "one"], 'give an incident by its number, not "one"'],
    [["incidents", "1", "2"], "incidents takes one NUMBER"],
    [["deliveries", "--last", "0"], "--last must be in 1 to 100"],
  ])("%j is wrong usage", async (args, sentence) => {
    const io = captureIo();
    expect(await main(args, io)).toBe(64);
    expect(io.written.stderr()).toContain(sentence);
  });
});
