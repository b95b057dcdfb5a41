import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportedFile } from "#cli/apply/exported-file";
import { main } from "../../../src/main.ts";
import { captureIo } from "../../support/captured-io.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

/** One service for all: each test has names and an owner that no other has. */
let service: Awaited<ReturnType<typeof runningService>>;
let key = "";
const folder = mkdtempSync(path.join(tmpdir(), "picket-test-"));

beforeAll(async () => {
  service = await runningService({ database: path.join(folder, "service.sqlite") });
  ({ key } = await service.admin.createApiKey({ name: "ada", scope: "write" }));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function run(args: readonly string[], typed = "") {
  const io = captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: key });
  io.typing.end(typed);
  const code = await main(args, io);
  return { code, out: io.written.stdout(), said: io.written.stderr() };
}

function fileWith(text: string): string {
  const file = path.join(temporaryFolder(), "a.yaml");
  writeFileSync(file, text);
  return file;
}

const monitor = (name: string, more = ""): string =>
  `  - { name: ${name}, url: "https://${name.replaceAll(" ", "-")}.test/", periodicity: 30s, active: true${more} }\n`;
const owned = (owner: string, ...lines: readonly string[]): string =>
  `owner: ${owner}\nhttp_monitors:\n${lines.join("")}`;

describe("objects of an owner", () => {
  test("prune deletes only what the owner has and the files do not say, once a person says yes", async () => {
    await run(["apply", "-f", fileWith(owned("a", monitor("a1"), monitor("a2")))]);
    await run(["apply", "-f", fileWith(owned("b", monitor("b1")))]);
    const file = fileWith(owned("a", monitor("a1")));
    const plan = await run(["plan", "-f", file, "--prune"]);
    expect(plan.out).toContain('- http "a2"\n');
    expect(plan.out).toContain("0 to create, 0 to update, 1 to delete, 1 the same.");
    expect(await run(["apply", "-f", file, "--prune"], "no\n")).toMatchObject({ code: 1 });
    expect((await run(["apply", "-f", file, "--prune"], "yes\n")).code).toBe(0);
    const { out } = await run(["monitors"]);
    expect(out).toContain("a1");
    expect(out).toContain("b1");
    expect(out).not.toContain("a2");
    const noOne = fileWith(`http_monitors:\n${monitor("c")}`);
    const refused = await run(["apply", "-f", noOne, "--prune"]);
    expect(refused).toMatchObject({ code: 64 });
    expect(refused.said).toContain("--prune needs an owner");
  });

  test("an apply that names two locations is refused, and assigns its monitors to neither", async () => {
    const file = fileWith(owned("team", monitor("placed")));
    const places = ["--location", "office", "--location", "warehouse"];
    const refused = await run(["apply", "-f", file, ...places]);
    expect(refused.code).toBe(64);
    expect(refused.said).toContain("--location is given more than once");
    expect((await run(["monitors"])).out).not.toContain("placed");
  });

  test("import --release takes an object from its files, whose next prune leaves it; an apply that names it takes it back", async () => {
    const file = fileWith(owned("team", monitor("kept"), monitor("freed")));
    await run(["apply", "-f", file]);
    const release = ["import", "http", "freed", "--release"];
    const unnamed = await run(release);
    expect([unnamed.code, unnamed.said]).toEqual([
      64,
      expect.stringContaining("import --release takes --from OWNER"),
    ]);
    const withFile = await run([...release, "--from", "team", "-f", file]);
    expect([withFile.code, withFile.said]).toEqual([
      64,
      expect.stringContaining("import --release takes --from OWNER, and no --owner or -f"),
    ]);
    const others = await run([...release, "--from", "other"]);
    expect(others.code).toBe(1);
    expect(others.said).toContain('the http monitor "freed" belongs to "team"');
    const freed = await run([...release, "--from", "team"]);
    expect(freed.code).toBe(0);
    expect(freed.out).toMatch(
      /belongs to no files now\.\nTake it out of the files of "team" before their next apply\.\n$/,
    );
    const again = await run([...release, "--from", "team"]);
    expect([again.code, again.said]).toEqual([
      1,
      expect.stringContaining('the http monitor "freed" belongs to no files'),
    ]);
    const rest = fileWith(owned("team", monitor("kept")));
    expect((await run(["apply", "-f", rest, "--prune", "--yes"])).code).toBe(0);
    expect((await run(["monitors"])).out).toContain("freed");
    expect((await run(["apply", "-f", file])).out).toContain("had no owner, and now belongs to");
  });
  test("import takes several names, of a monitor without its kind, and all that an owner has", async () => {
    const pages = "  - { title: crew page, slug: crew-page, components: [] }\n";
    const lines = [monitor("crew 1"), monitor("crew 2"), monitor("crew 3")];
    const made = await run([
      "apply",
      "-f",
      fileWith(`${owned("crew", ...lines)}status_pages:\n${pages}`),
    ]);
    expect(made.code, made.said).toBe(0);
    const release = ["--release", "--from", "crew"];
    const two = await run(["import", "monitor", "crew 1", "none such", ...release]);
    expect([two.code, two.said]).toEqual([
      1,
      expect.stringContaining('there is no monitor "none such"'),
    ]);
    const some = await run(["import", "http", "crew 1", "none such", "crew 2", ...release]);
    expect(some.code).toBe(1);
    expect(some.said).toContain('picket import: there is no http monitor "none such"');
    expect(some.out).toMatch(
      /The http "crew 1" .*\nThe http "crew 2" .*\nTake them out of the files/,
    );
    const all = await run(["import", "--all", ...release]);
    expect(all.code, all.said).toBe(0);
    expect(all.out).toMatch(/The http "crew 3" .*\nThe page "crew-page" .*\nTake them out/);
    const again = await run(["import", "monitor", "--all", ...release]);
    expect([again.code, again.said]).toEqual([
      1,
      expect.stringContaining('"crew" owns no monitor'),
    ]);
    const back = await run(["import", "monitor", "crew 1", "crew 3", "--owner", "crew"]);
    expect(back.out).toMatch(/"crew 1" .* belongs to "crew" now\.\nThe http "crew 3"/);
    const mixed = await run(["import", "http", "crew 1", "--all", ...release]);
    expect([mixed.code, mixed.said]).toEqual([
      64,
      expect.stringContaining("import --all takes --from OWNER, and no NAME"),
    ]);
  });

  test("a name that another owner has is a conflict with both; import takes it", async () => {
    await run(["apply", "-f", fileWith(owned("one", monitor("shared")))]);
    const file = fileWith(owned("two", monitor("shared")));
    const { code, said } = await run(["apply", "-f", file]);
    expect(code).toBe(1);
    expect(said).toContain('"shared" belongs to "one", and these files are of "two"');
    expect((await run(["import", "http", "shared", "--owner", "two"])).said).toContain(
      'belongs to "one"',
    );
    const taken = await run(["import", "http", "shared", "-f", file, "--from", "one"]);
    expect(taken).toMatchObject({ code: 0 });
    expect(await run(["plan", "-f", file])).toMatchObject({ code: 0 });
  });

  test("what they are exported as is a file of theirs, which the service takes again", async () => {
    await run(["apply", "-f", fileWith(owned("e one", monitor("e1"), monitor("e2")))]);
    await run(["apply", "-f", fileWith(owned("e two", monitor("e3")))]);
    const { out } = await run(["export", "--owner", "e one"]);
    expect(out).toMatch(/^owner: e one\n/);
    expect(out).not.toContain("e3");
    const plan = await run(["plan", "-f", fileWith(out), "--prune"]);
    expect(plan).toMatchObject({ code: 0 });
    expect(plan.out).toContain("0 to create, 0 to update, 2 the same.");
    expect((await run(["export", "http", "e3"])).out).toMatch(/^owner: e two\n/);
    expect((await run(["export", "http"])).out).toMatch(
      /^# These objects belong to .*e one, e two.*: picket export --owner NAME prints its own\.\n\n?http_monitors:/,
    );
    const none = await run(["export", "--owner", "nobody"]);
    expect(none).toMatchObject({ code: 1, out: "" });
    expect(none.said).toContain('there is nothing of the owner "nobody"');
  });

  test.each([
    [["a", ""], "1 object of these has no owner: picket apply gives it this one."],
    [
      ["a", "files"],
      "1 object of these belongs to files that name no owner: picket apply gives it this one.",
    ],
    [
      ["a", "", "", "files", "files"],
      "2 objects of these have no owner, and 2 objects belong to files that name none: picket apply gives them this one.",
    ],
    [
      ["a", "b", "files"],
      "These objects belong to a, b and to files that name no owner, and a file to one owner: picket export --owner NAME prints its own.",
    ],
  ])("exported with those of %j are preceded by whose they are", (owners, said) => {
    const entries = owners.map((owner, index) => {
      const name = `m${index}`;
      return { list: "http_monitors", id: String(index), name, content: { name }, owner };
    });
    expect(exportedFile(entries, true).split("\n")[0]).toBe(`# ${said}`);
  });

  test("another name keeps the object and its id", async () => {
    await run(["apply", "-f", fileWith(owned("r", monitor("before")))]);
    const id = async (name: string): Promise<string | undefined> =>
      (await service.monitors(key).listMonitors({})).httpMonitors.find((one) => one.name === name)
        ?.id;
    const known = await id("before");
    expect(known).toBeDefined();
    const file = fileWith(owned("r", monitor("after", ", renamed_from: before")));
    const plan = await run(["plan", "-f", file]);
    expect(plan.out).toContain(
      '~ http "after": name before → after, url https://before.test/ → https://after.test/ (was "before")',
    );
    await run(["apply", "-f", file]);
    expect(await id("after")).toBe(known);
    expect(await run(["plan", "-f", file])).toMatchObject({ code: 0 });
  });

  test("what is changed or deleted by hand is shown with its key and its time, until it is applied again", async () => {
    const file = fileWith(owned("d", monitor("drifts"), monitor("goes")));
    await run(["apply", "-f", file]);
    const all = await service.monitors(key).listMonitors({});
    const found = (name: string) => all.httpMonitors.find((one) => one.name === name);
    await service
      .monitors(key)
      .updateHTTPMonitor({ id: found("drifts")?.id ?? "", monitor: { timeout: 9_000n } });
    await service.monitors(key).deleteMonitor({ id: found("goes")?.id ?? "" });
    const { out, code } = await run(["plan", "-f", file]);
    expect(code).toBe(2);
    expect(out).toMatch(
      /~ http "drifts": timeout 9000 → 45000 \(by hand: key \d+ \(ada\), \d{4}-\d\d-\d\dT/,
    );
    expect(out).toMatch(/\+ http "goes" \(it was deleted by hand\) \(by hand: key \d+ \(ada\), /);
    await run(["apply", "-f", file]);
    expect((await run(["plan", "-f", file])).out).not.toContain("by hand");
  });

  test("a plan that was kept is applied as it was seen, or not at all", async () => {
    const text = owned("p", monitor("p1"));
    const file = fileWith(text);
    const kept = path.join(temporaryFolder(), "plan");
    expect(await run(["plan", "-f", file, "-o", kept])).toMatchObject({ code: 2 });
    writeFileSync(file, text.replace("30s", "1m"));
    expect((await run(["apply", kept])).said).toContain("have changed since the plan was made");
    writeFileSync(file, text);
    await run(["apply", "-f", fileWith(owned("p-other", monitor("p2")))]);
    expect((await run(["apply", kept])).said).toContain("the service has changed since the plan");
    await run(["plan", "-f", file, "-o", kept]);
    expect((await run(["apply", kept])).out).toContain("Applied.");
  });

  test("are refused with their names if their dependencies make a ring over a monitor of other files", async () => {
    const firstFile = fileWith(owned("r", monitor("r1")));
    expect(await run(["apply", "-f", firstFile])).toMatchObject({ code: 0 });
    const second = owned(
      "r-other",
      monitor("r2", ", depends_on: [r3]"),
      monitor("r3", ", depends_on: [r1]"),
    );
    expect(await run(["apply", "-f", fileWith(second)])).toMatchObject({ code: 0 });
    const file = fileWith(owned("r", monitor("r1", ", depends_on: [r2]")));
    for (const command of ["plan", "apply"]) {
      const { code, said } = await run([command, "-f", file]);
      expect(code).toBe(1);
      expect(said).toContain(
        'depends_on makes a cycle: each monitor waits for the next: http "r1" → http "r2" → http "r3" → http "r1".',
      );
    }
  });

  test("that depend on a monitor of another kind with their own name mean that one", async () => {
    const file = fileWith(
      `${owned("n", monitor("n1", ", depends_on: [n1]"))}tcp_monitors: [{ name: n1, uri: "a.test:1", periodicity: 30s }]\n`,
    );
    expect(await run(["apply", "-f", file])).toMatchObject({ code: 0, said: "" });
    const { httpMonitors, tcpMonitors } = await service.monitors(key).listMonitors({});
    const other = tcpMonitors.find(({ name }) => name === "n1");
    expect(httpMonitors.find(({ name }) => name === "n1")?.alerting?.dependsOn).toEqual([
      other?.id,
    ]);
  });

  test("channels, maintenances, dependencies and labels are planned, applied and then the same", async () => {
    const file =
      fileWith(`${owned("w", monitor("w1", ", depends_on: [w2], labels: { team: w }, notifications: [w-ops]"), monitor("w2"))}
private_locations: [{ name: w-office, monitors: [w1] }]
notifications:
  - { name: w-ops, provider_type: slack, slack: { webhook_url: https://hooks.test/planted }, reminder: 4h, locations: [w-office] }
maintenances:
  - { title: w-work, message: Back soon, from: 2026-12-01T22:00, to: 2026-12-01T23:30, time_zone: Europe/Berlin, monitors: [w1], locations: [w-office] }
`);
    const plan = await run(["plan", "-f", file]);
    expect(plan.out).toContain('+ notification "w-ops": monitors + http "w1"');
    expect(plan.out).not.toContain("planted");
    expect(await run(["apply", "-f", file])).toMatchObject({ code: 0, said: "" });
    expect(await run(["plan", "-f", file])).toMatchObject({ code: 0 });
    const list = await service.post(
      "/openstatus.maintenance.v1.MaintenanceService/ListMaintenances",
      {},
      { "x-service-key": key },
    );
    expect(await list.json()).toMatchObject({
      maintenances: [{ title: "w-work", from: "2026-12-01T21:00:00.000Z" }],
    });
    const monitors = (await service.monitors(key).listMonitors({})).httpMonitors;
    const [w1, w2] = ["w1", "w2"].map((name) => monitors.find((one) => one.name === name));
    expect(w1?.alerting?.dependsOn).toEqual([w2?.id]);
    const changed = fileWith(
      `owner: w\nnotifications: [{ name: w-ops, provider_type: ntfy, ntfy: { topic: w } }]\n`,
    );
    const other = await run(["plan", "-f", changed, "--prune"]);
    expect(other.out).toContain('-/+ notification "w-ops": provider_type slack → ntfy');
    expect(other.out).toContain('- http "w1"');
    expect(await run(["apply", "-f", changed, "--prune", "--yes"])).toMatchObject({ code: 0 });
    expect(await run(["plan", "-f", changed, "--prune"])).toMatchObject({ code: 0 });
  });
});
