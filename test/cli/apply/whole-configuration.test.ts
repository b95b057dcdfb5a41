import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../../src/main.ts";
import { generatedConfiguration, variablesOf } from "../../support/generated-configuration.ts";
import { captureIo } from "../../support/captured-io.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly said: string;
}

/** A service, and commands that are called on it. */
async function scene() {
  const service = await runningService();
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const run = async (
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    typed = "",
  ): Promise<Ended> => {
    const io = captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: key, ...env });
    io.typing.end(typed);
    const code = await main(args, io);
    return { code, out: io.written.stdout(), said: io.written.stderr() };
  };
  return { service, key, run, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const monitors = `defaults:
  http_monitors: { periodicity: 30s, active: true }
http_monitors:
  - name: shop
    url: https://shop.test/health
    timeout: 5000
    headers: [{ key: Authorization, value: { env: SHOP_AUTHORIZATION } }]
    status_code_assertions: [{ comparator: eq, target: 200 }]
    locations: [office]
dns_monitors:
  - { name: mail, uri: mail.test, periodicity: 10m, record_assertions: [{ record: MX, comparator: contains, target: a }] }
`;
const places =
  "private_locations:\n  - { name: office, monitors: [mail], metadata: { site: berlin } }\n";
const env = { SHOP_AUTHORIZATION: "planted-secret" };

describe("plan, apply and export", () => {
  test("a channel for all monitors is planned, applied and exported as that, and no monitor notifies no one", async () => {
    await using it = await scene();
    const channel = `notifications:
  - { name: ops, provider_type: webhook, all_monitors: true, webhook: { endpoint: "https://hook.test/x" } }
`;
    const folder = folderWith({ "monitors.yaml": monitors, "places.yml": places });
    expect((await it.run(["apply", "-f", folder], env)).out).toContain("notifies no one");
    const all = folderWith({
      "monitors.yaml": monitors,
      "places.yml": places,
      "ops.yaml": channel,
    });
    expect((await it.run(["apply", "-f", all], env)).out).not.toContain("no one");
    const planned = await it.run(["plan", "-f", all], env);
    expect(planned.out).toContain("0 to create, 0 to update, 4 the same.");
    const { out } = await it.run(["export"]);
    expect(out).toMatch(/name: ops\n(?:    .*\n)*    all_monitors: true\n/);
    // The files of another team need no channel then.
    const one = "tcp_monitors: [{ name: db, uri: 'db:5432', periodicity: 1m, active: true }]";
    const other = folderWith({ "other.yaml": one });
    const more = await it.run(["apply", "-f", other, "--owner", "other"]);
    expect([more.code, more.out]).toEqual([0, expect.stringMatching(/Applied\.\n$/)]);
    expect((await it.run(["plan", "-f", all], env)).out).toContain("4 the same.");
  });

  test("plan says what would change and exits with 2; applied, nothing would, and with 0", async () => {
    await using it = await scene();
    const folder = folderWith({ "monitors.yaml": monitors, "places.yml": places });
    const first = await it.run(["plan", "-f", folder], env);
    expect(first).toMatchObject({ code: 2, said: "" });
    expect(first.out).toBe(
      '+ http "shop"\n+ dns  "mail" (inactive: "active: true" is missing)\n' +
        '+ private location "office": monitors + http "shop" + dns "mail"\n' +
        "3 to create, 0 to update, 0 the same.\n" +
        "1 monitor notifies no one: make a channel for all monitors on the page Channels, or write `all_monitors: true` in a channel of a file.\n",
    );
    const applied = await it.run(["apply", "-f", folder], env);
    expect(applied.code).toBe(0);
    expect(applied.out).toMatch(/^The token of private location "office": pkt_loc_/m);
    const again = await it.run(["plan", "-f", folder], env);
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toMatch(/^0 to create, 0 to update, 3 the same\.$/m);
  });

  test("plan shows values before and after, secrets as changed, and what no file says", async () => {
    await using it = await scene();
    const folder = folderWith({ "monitors.yaml": monitors, "places.yml": places });
    await it.run(["apply", "-f", folder], env);
    const { monitor } = await it.service
      .monitors(it.key)
      .createTCPMonitor({ monitor: { name: "by hand", uri: "a:1", periodicity: 1 } });
    const changed = folderWith({
      "monitors.yaml": monitors.replace("5000", "6000"),
      "places.yml": places.replace("berlin", "paris").replace("[mail]", "[]"),
    });
    const { code, out } = await it.run(["plan", "-f", changed, "-v"], {
      SHOP_AUTHORIZATION: "planted-other",
    });
    expect(code).toBe(2);
    expect(out).toContain('~ http "shop": headers changed, timeout 5000 → 6000\n');
    expect(out).toContain(
      '~ private location "office": metadata {"site":"berlin"} → {"site":"paris"}, monitors − dns "mail"\n',
    );
    expect(out).toContain('The service also has, and keeps:\n  tcp  "by hand"\n');
    expect(out).not.toContain("planted");
    const json = await it.run(["plan", "-f", changed, "--json"], env);
    expect(JSON.parse(json.out)).toMatchObject({
      changes: [
        {
          action: "update",
          kind: "http_monitor",
          fields: [{ name: "timeout", before: "5000", after: "6000", secret: false }],
        },
        { action: "same", name: "mail" },
        { action: "update", kind: "private_location", name: "office" },
      ],
      unmanaged: [{ kind: "tcp_monitor", name: "by hand", owner: "" }],
    });
    await it.run(["apply", "-f", changed], env);
    const left = await it.service.monitors(it.key).getMonitor({ id: monitor?.id ?? "" });
    expect(left.monitor?.config.case).toBe("tcp");
  });

  test("standard input is a file too, and several are one configuration", async () => {
    await using it = await scene();
    const folder = folderWith({ "places.yml": places });
    const args = ["-f", path.join(folder, "places.yml"), "-f", "-"];
    const { code, out } = await it.run(["apply", ...args], env, monitors);
    expect(code).toBe(0);
    expect(out).toContain('+ http "shop"');
    const wrong = await it.run(["plan", "-f", folder], env);
    expect(wrong.code).toBe(1);
    expect(wrong.said).toMatch(
      /places\.yml:2:\d+: private_locations\[0\]\.monitors\[0\]: is not the name of a monitor/,
    );
  });

  test("a location that neither the files nor the service have is refused with the nearest one", async () => {
    await using it = await scene();
    await it.run(["apply", "-f", folderWith({ "a.yaml": monitors, "b.yaml": places })], env);
    const one = folderWith({ "a.yaml": monitors.replace("[office]", "[ofice]") });
    const { code, said } = await it.run(["apply", "-f", one], env);
    expect(code).toBe(1);
    expect(said).toContain(
      'names the private location "ofice", which neither the files nor the service have.',
    );
    expect(said).toContain('Did you mean "office"?');
    // One that the service has is given what it lacks, and keeps the rest.
    const other = folderWith({
      "a.yaml": "tcp_monitors: [{ name: db, uri: 'a:1', periodicity: 1m, locations: [office] }]\n",
    });
    expect((await it.run(["plan", "-f", other])).out).toContain(
      '~ private location "office": monitors + tcp "db"\n',
    );
    await it.run(["apply", "-f", other]);
    expect((await it.run(["locations"])).out).toMatch(/office +unknown +3 /);
  });

  test("a location of the service that files do not name keeps what it runs", async () => {
    await using it = await scene();
    await it.run(["apply", "-f", folderWith({ "a.yaml": monitors, "b.yaml": places })], env);
    const alone = folderWith({
      "a.yaml": "tcp_monitors: [{ name: db, uri: 'a:1', periodicity: 1m }]\n",
    });
    expect((await it.run(["plan", "-f", alone])).out).toMatch(
      /^3 objects of the service are in no file and stay/m,
    );
  });

  test("a file of twenty mistakes of many kinds gets twenty messages, each with its line", async () => {
    await using it = await scene();
    const mistakes = `http_monitors:
  - name: a
    url: htp://x
    periodicity: 7m
    method: FETCH
    timeout: -1
    retry: 11
    degraded_at: 1.5
    active: yes please
    nme: b
    regions: [mars]
    headers: [{ key: "a b", value: c }]
    status_code_assertions: [{ comparator: is, target: 99 }]
    body_assertions: [{ comparator: eq }]
    otlp_headers: { a: b }
  - name: a
    url: https://a.test
    periodicity: 30s
tcp_monitors:
  - { name: b, uri: "b", periodicity: 30s, locations: office }
dns_monitors:
  - { name: c, uri: c.test, periodicity: 30s, record_assertions: [{ record: PTR, comparator: eq, target: d }] }
private_locations:
  - { name: "", monitors: [d] }
  - { name: office, metadata: [] }
htp_monitors: []
`;
    const { code, said } = await it.run(["plan", "-f", folderWith({ "a.yaml": mistakes })]);
    expect(code).toBe(1);
    const lines = said.trim().split("\n");
    expect(lines.at(-1)).toMatch(/^(\d+) mistakes in .*\. Nothing was compared\.$/);
    expect(lines.length - 1).toBeGreaterThanOrEqual(20);
    expect(lines.slice(0, -1).every((line) => /a\.yaml:\d+:\d+: \S/.test(line))).toBe(true);
    expect(new Set(lines).size).toBe(lines.length);
  });
});

describe.each([1, 2, 3, 4, 5])("a generated configuration (%i)", (seed) => {
  test("applied twice changes nothing, in any order of files; its export makes the same again", async () => {
    const files = generatedConfiguration(seed);
    const folder = folderWith(files);
    const named = Object.keys(files).map((name) => path.join(folder, name));
    const flags = (order: readonly string[]) => order.flatMap((name) => ["-f", name]);
    await using first = await scene();
    const applied = await first.run(["apply", ...flags(named)]);
    expect(applied).toMatchObject({ code: 0, said: "" });
    expect(await first.run(["plan", ...flags(named.toReversed())])).toMatchObject({ code: 0 });
    const { out: exported } = await first.run(["export"]);
    expect(exported).not.toContain("planted");
    await using second = await scene();
    const variables = variablesOf(exported, files);
    const again = await second.run(["apply", "-f", "-"], variables, exported);
    expect(again).toMatchObject({ code: 0, said: "" });
    const withoutIds = (text: string): string => text.replaceAll(/ *# id \d+.*\n/g, "");
    expect(withoutIds((await second.run(["export"])).out)).toBe(withoutIds(exported));
    expect(await second.run(["plan", ...flags(named)])).toMatchObject({ code: 0 });
  });
});
