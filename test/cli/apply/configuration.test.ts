import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfiguration } from "#cli/apply/configuration";
import { readSources } from "#cli/apply/configuration-source";
import { showMistakes } from "#cli/apply/mistake";
import { httpDefaults } from "#check/definition";
import * as limits from "#limits/cli-limits";
import {
  type OneFile,
  parseMonitors,
  readMonitorsFile,
  readTexts,
} from "../../support/configuration-text.ts";

/** `LINE:COL path: message` of each mistake, in the order of the file. */
function mistakesIn(text: string): readonly string[] {
  const file = parseMonitors(text, false);
  return file.ok ? [] : linesOf(file);
}

function linesOf(file: OneFile): readonly string[] {
  if (file.ok) return [];
  return file.mistakes
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
}

async function readMonitorsFolder(folder: string, env: Readonly<Record<string, string>>) {
  const sources = await readSources([folder], new PassThrough());
  const reading = readConfiguration(sources, { activeDefault: false, env });
  if (!reading.ok) throw new Error(JSON.stringify([...reading.mistakes]));
  return reading.configuration;
}

const whole = `
http_monitors:
  - name: web
    url: https://example.com/health?key=1
    periodicity: 30s
    method: POST
    body: '{"a":1}'
    timeout: 5000
    degraded_at: 700
    retry: 1
    follow_redirects: false
    active: true
    public: true
    description: the shop
    regions: [hosta-ams, fra]
    headers:
      - { key: Authorization, value: Bearer planted-secret }
    status_code_assertions:
      - { target: 200, comparator: eq }
    body_assertions:
      - { target: "42", comparator: contains }
      - { comparator: not_empty }
    header_assertions:
      - { key: content-type, target: json, comparator: contains }
    otlp_endpoint: https://otlp.example.com/v1/metrics
    otlp_headers: { x-api-key: planted-secret }
    alerting: { failures: 2, quorum: "2", severity: warning }
    depends_on: [db]
    labels: { team: shop }
tcp_monitors:
  - { name: db, uri: "db.internal:5432", periodicity: 1m }
dns_monitors:
  - name: mail
    uri: example.com
    periodicity: 1h
    record_assertions:
      - { record: MX, target: mx.example.com, comparator: contains }
`;

describe("a monitors file", () => {
  it("gives a definition with every argument of the specification", () => {
    const file = parseMonitors(whole, false);
    expect(linesOf(file)).toEqual([]);
    if (!file.ok) return;
    const [web, db, mail] = file.monitors;
    expect(web).toEqual({
      kind: "http",
      name: "web",
      url: "https://example.com/health?key=1",
      periodicity: "30s",
      method: "POST",
      body: '{"a":1}',
      timeout: 5000,
      degradedAt: 700,
      retry: 1,
      followRedirects: false,
      active: true,
      public: true,
      description: "the shop",
      regions: ["hosta-ams", "fra"],
      signature: "",
      headers: [{ key: "Authorization", value: "Bearer planted-secret" }],
      statusCodeAssertions: [{ target: 200, comparator: "eq" }],
      bodyAssertions: [
        { target: "42", comparator: "contains" },
        { target: "", comparator: "not_empty" },
      ],
      headerAssertions: [{ key: "content-type", target: "json", comparator: "contains" }],
      jsonAssertions: [],
      otel: {
        endpoint: "https://otlp.example.com/v1/metrics",
        headers: [{ key: "x-api-key", value: "planted-secret" }],
      },
      alerting: {
        failures: 2,
        degraded: 0,
        successes: 0,
        quorum: "2",
        dependsOn: [],
        severity: "warning",
        certificateDays: "",
        objective: "",
      },
      labels: { team: "shop" },
    });
    expect(db).toMatchObject({ kind: "tcp", uri: "db.internal:5432", active: false, retry: 3 });
    expect(mail).toMatchObject({
      kind: "dns",
      recordAssertions: [{ record: "MX", target: "mx.example.com", comparator: "contains" }],
    });
  });

  it("takes the specification's defaults for what it leaves out, and the given one for active", () => {
    const text = "http_monitors: [{ name: a, url: 'http://a/', periodicity: 1m }]";
    for (const active of [true, false]) {
      const file = parseMonitors(text, active);
      expect(file).toEqual({
        ok: true,
        monitors: [{ ...httpDefaults, name: "a", url: "http://a/", periodicity: "1m", active }],
      });
    }
  });

  it("is refused with the ring that its dependencies make, at the line of one of them", () => {
    const file = (...dependencies: readonly string[]) =>
      `tcp_monitors:\n${dependencies
        .map(
          (on, index) =>
            `  - { name: m${index}, uri: "a:1", periodicity: 1m, depends_on: [${on}] }\n`,
        )
        .join("")}`;
    const ring = "makes a cycle: each monitor waits for the next:";
    expect(mistakesIn(file("m0"))).toEqual([`2:59 tcp_monitors[0].depends_on[0]: ${ring} m0 → m0`]);
    expect(mistakesIn(file("m1", '"id:4", m2', "m0"))).toEqual([
      `2:59 tcp_monitors[0].depends_on[0]: ${ring} m0 → m1 → m2 → m0`,
    ]);
    expect(mistakesIn(file("m1", "m2", ""))).toEqual([]);
  });

  it("lets a monitor depend on one of another kind with its own name", () => {
    const shop = "name: shop, periodicity: 1m";
    const text = `http_monitors: [{ ${shop}, url: "http://a/", depends_on: [shop] }]\ntcp_monitors: [{ ${shop}, uri: "a:1" }]`;
    expect(mistakesIn(text)).toEqual([]);
  });

  it("keeps an active: false that is said, whatever the default is", () => {
    const text = "tcp_monitors: [{ name: a, uri: 'a:1', periodicity: 1m, active: false }]";
    const file = parseMonitors(text, true);
    expect(file.ok && file.monitors[0]?.active).toBe(false);
  });

  it("with five mistakes gives five messages with their lines", () => {
    const text = `http_monitors:
  - name: web
    url: ftp://example.com
    periodicity: 42s
    tiemout: 100
tcp_monitors:
  - name: db
    uri: db.internal:99999
    periodicity: 1m
    retry: "3"
`;
    expect(mistakesIn(text)).toEqual([
      "3:10 http_monitors[0].url: must begin with http:// or https://",
      '4:18 http_monitors[0].periodicity: must be one of 30s, 1m, 5m, 10m, 30m, 1h, not "42s"',
      "5:5 http_monitors[0].tiemout: is not a known key; did you mean timeout?",
      "8:10 tcp_monitors[0].uri: has port 99999, which is not in 1 to 65535",
      "10:12 tcp_monitors[0].retry: must be a number, not text",
    ]);
  });

  it("is printed as FILE:LINE:COL: path: message, with the count and what was not done", () => {
    const file = parseMonitors("tcp_monitors:\n  - { name: a, uri: a:0, periodicity: 1m }\n", true);
    expect(file.ok).toBe(false);
    expect(showMistakes("m.yaml", file.ok ? [] : file.mistakes, "Nothing was changed.")).toBe(
      "m.yaml:2:21: tcp_monitors[0].uri: has port 0, which is not in 1 to 65535\n" +
        "1 mistake in m.yaml. Nothing was changed.\n",
    );
  });
});

describe("a mistake in a monitors file", () => {
  const cases: readonly (readonly [title: string, text: string, expected: string])[] = [
    [
      "an empty file",
      " \n",
      "1:1 : the file is empty; list monitors under http_monitors, tcp_monitors, dns_monitors, icmp_monitors or grpc_monitors",
    ],
    [
      "a file of comments",
      "# nothing\n",
      "1:1 : must be a mapping with http_monitors, tcp_monitors, dns_monitors, icmp_monitors, grpc_monitors, private_locations, notifications, status_pages, maintenances, owner, defaults, but nothing is given",
    ],
    [
      "a file without monitors",
      "http_monitors: []\n",
      "1:1 : holds no monitors; list monitors under http_monitors, tcp_monitors, dns_monitors, icmp_monitors or grpc_monitors",
    ],
    [
      "a list at the top",
      "- a\n",
      "1:1 : must be a mapping with http_monitors, tcp_monitors, dns_monitors, icmp_monitors, grpc_monitors, private_locations, notifications, status_pages, maintenances, owner, defaults, not a list",
    ],
    [
      "an unknown list",
      "htp_monitors: []\n",
      "1:1 htp_monitors: is not a known key; did you mean http_monitors?",
    ],
    [
      "a mapping where a list belongs",
      "tcp_monitors: {}\n",
      "1:15 tcp_monitors: must be a list, not a mapping",
    ],
    [
      "a list of monitors of no kind",
      "monitors: []\n",
      "1:1 monitors: is not a known key; known are http_monitors, tcp_monitors, dns_monitors",
    ],
    [
      "a periodicity without its unit",
      "tcp_monitors:\n  - { name: a, uri: a:1, periodicity: 30 }\n",
      "2:39 tcp_monitors[0].periodicity: must be one of 30s, 1m, 5m, 10m, 30m, 1h, not a number",
    ],
    [
      "a timeout with a unit",
      "tcp_monitors:\n  - { name: a, uri: a:1, periodicity: 1m, timeout: 5s }\n",
      "2:52 tcp_monitors[0].timeout: must be a number of milliseconds, not text",
    ],
    [
      "a list without items",
      "tcp_monitors:\n",
      "1:1 tcp_monitors: must be a list, but nothing is given",
    ],
    [
      "a monitor that is text",
      "tcp_monitors:\n  - db:1\n",
      "2:5 tcp_monitors[0]: must be a mapping",
    ],
    [
      "a missing name",
      "tcp_monitors:\n  - uri: a:1\n    periodicity: 1m\n",
      "2:5 tcp_monitors[0].name: is required, but missing",
    ],
    [
      "a number where text belongs",
      "tcp_monitors:\n  - { name: 7, uri: a:1, periodicity: 1m }\n",
      "2:13 tcp_monitors[0].name: must be text (put it in quotes), not a number",
    ],
    [
      "a word where true or false belongs",
      "tcp_monitors:\n  - { name: a, uri: a:1, periodicity: 1m, active: yes }\n",
      "2:51 tcp_monitors[0].active: must be true or false, not text",
    ],
    [
      "a number out of range",
      "tcp_monitors:\n  - { name: a, uri: a:1, periodicity: 1m, retry: 11 }\n",
      "2:50 tcp_monitors[0].retry: must be in 0 to 10, not 11",
    ],
    [
      "a fraction",
      "tcp_monitors:\n  - { name: a, uri: a:1, periodicity: 1m, timeout: 1.5 }\n",
      "2:52 tcp_monitors[0].timeout: must be a whole number, not 1.5",
    ],
    [
      "an unknown region",
      "tcp_monitors:\n  - { name: a, uri: a:1, periodicity: 1m, regions: [fra, moon] }\n",
      '2:58 tcp_monitors[0].regions[1]: "moon" is not a region',
    ],
    [
      "a duplicate name of one kind",
      "tcp_monitors:\n  - { name: a, uri: a:1, periodicity: 1m }\n  - { name: a, uri: a:2, periodicity: 1m }\n",
      "3:13 tcp_monitors[1].name: is already the name of tcp_monitors[0]",
    ],
    [
      "a header without a value",
      "http_monitors:\n  - { name: a, url: http://a, periodicity: 1m, headers: [{ key: A }] }\n",
      "2:58 http_monitors[0].headers[0].value: is required, but missing",
    ],
    [
      "a header name that cannot be sent",
      "http_monitors:\n  - { name: a, url: http://a, periodicity: 1m, headers: [{ key: A B, value: x }] }\n",
      "2:65 http_monitors[0].headers[0].key: is not a valid header name",
    ],
    [
      "a comparator of another kind",
      "dns_monitors:\n  - { name: a, uri: a, periodicity: 1m, record_assertions: [{ record: A, target: x, comparator: gt }] }\n",
      '2:97 dns_monitors[0].record_assertions[0].comparator: must be one of eq, neq, contains, not_contains, not "gt"',
    ],
    [
      "an OTLP header that cannot be sent",
      "tcp_monitors:\n  - name: a\n    uri: a:1\n    periodicity: 1m\n    otlp_endpoint: http://o/\n    otlp_headers:\n      good: x\n      bad name: planted-secret\n",
      "8:7 tcp_monitors[0].otlp_headers.bad name: is not a valid header name",
    ],
    [
      "OTLP headers without an endpoint",
      "tcp_monitors:\n  - { name: a, uri: a:1, periodicity: 1m, otlp_headers: { a: b } }\n",
      "2:57 tcp_monitors[0].otlp_headers: needs an otlp_endpoint",
    ],
    [
      "the same key twice",
      "tcp_monitors:\n  - name: a\n    name: b\n    uri: a:1\n    periodicity: 1m\n",
      "3:5 : this key is twice in one mapping",
    ],
    [
      "a second document",
      "tcp_monitors:\n  - { name: a, uri: a:1, periodicity: 1m }\n---\na: 1\n",
      "3:1 : a second YAML document begins here; keep all monitors in one",
    ],
    [
      "an alias without an anchor",
      "tcp_monitors:\n  - *base\n",
      "2:5 : an alias is here that has no anchor before it; text that begins with * needs quotes",
    ],
  ];
  it.each(cases)("%s is named with its place", (_title, text, expected) => {
    expect(mistakesIn(text)[0]).toContain(expected);
  });

  it("of syntax is named with its line and does not quote the file", () => {
    const mistakes = mistakesIn('tcp_monitors:\n  - name: "a\n    uri: planted-secret\n');
    expect(mistakes.length).toBeGreaterThan(0);
    expect(mistakes[0]).toContain("this is not valid YAML");
    expect(mistakes.join("\n")).not.toContain("planted-secret");
  });

  it("never quotes the value of a header", () => {
    const text = whole
      .replaceAll("planted-secret", "planted\\u0000secret")
      .replace("{ key: Auth", "{ ky: Auth");
    const shown = mistakesIn(text).join("\n");
    expect(shown).toContain("headers[0]");
    expect(shown).not.toContain("planted");
  });
});

describe("a file that means harm", () => {
  it("of aliases that multiply ends at the limit of values", () => {
    const assertions = Array.from({ length: 900 }, () => "{ comparator: empty }").join(", ");
    const first = `  - &m { name: a, url: http://a, periodicity: 1m, body_assertions: [${assertions}] }\n`;
    const text = `http_monitors:\n${first}${"  - *m\n".repeat(4000)}`;
    expect(mistakesIn(text)[0]).toContain("has more than 1000000 values");
  });

  it("of an alias that holds itself is refused", () => {
    expect(mistakesIn("tcp_monitors: &a\n  - *a\n")).toEqual(["2:5 : this alias contains itself"]);
  });

  it("of deep nesting is refused", () => {
    const text = `tcp_monitors: ${"[".repeat(100_000)}`;
    expect(mistakesIn(text).length).toBeGreaterThan(0);
  });
});

describe("reading from the disk", () => {
  let directory = "";
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "picket-test-"));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it("refuses a file larger than the limit", async () => {
    const path = join(directory, "large.yaml");
    await writeFile(path, Buffer.alloc(limits.monitorsFileBytesMax + 1, 0x20));
    expect(linesOf(await readMonitorsFile(path, false))).toEqual([
      "1:1 : the file is larger than 16 MiB",
    ]);
  });

  it("refuses bytes that are not UTF-8", async () => {
    const path = join(directory, "latin.yaml");
    await writeFile(path, Buffer.from([0x61, 0xff, 0x3a]));
    expect(linesOf(await readMonitorsFile(path, false))).toEqual([
      "1:1 : the file is not text in UTF-8",
    ]);
  });

  it("rejects for a file that is not there", async () => {
    await expect(readMonitorsFile(join(directory, "none.yaml"), false)).rejects.toThrow(
      /none\.yaml: there is no such file$/,
    );
  });
});

describe("defaults", () => {
  const text = `defaults:
  tcp_monitors: { periodicity: 30s, timeout: 2000, active: true, locations: [office] }
tcp_monitors:
  - { name: a, uri: "a:1" }
  - { name: b, uri: "b:1", timeout: 9000, active: false }
private_locations: [{ name: office }]
`;
  it("are what monitors are that do not say it themselves", () => {
    const reading = readTexts({ file: text });
    expect(reading.ok ? reading.configuration.monitors : reading.mistakes).toMatchObject([
      { name: "a", periodicity: "30s", timeout: 2000, active: true },
      { name: "b", periodicity: "30s", timeout: 9000, active: false },
    ]);
    expect(reading.ok ? reading.configuration.locations[0]?.monitors : []).toHaveLength(2);
  });

  it("with a mistake are named once, where they stand, however many monitors have them", () => {
    expect(mistakesIn(text.replace("30s, timeout", "7m, tmeout"))).toEqual([
      expect.stringMatching(/^2:32 defaults\.tcp_monitors\.periodicity: must be one of 30s/),
      expect.stringMatching(/^2:36 defaults\.tcp_monitors\.tmeout: .* did you mean timeout\?$/),
    ]);
    expect(mistakesIn("defaults: { tcp_monitor: {} }\ntcp_monitors: []\n")[0]).toMatch(
      /defaults\.tcp_monitor: is not a known key; did you mean tcp_monitors\?$/,
    );
  });
});

describe("references", () => {
  const monitor = "tcp_monitors: [{ name: shop, uri: 'a:1', periodicity: 30s }]\n";
  it("hold across files, from either side, in any order of the files", () => {
    const texts = {
      a: "private_locations: [{ name: office, monitors: [shop], metadata: { env: prod } }]\n",
      b: monitor,
      c: "dns_monitors: [{ name: mail, uri: a.test, periodicity: 1m, locations: [office, berlin] }]\n",
    };
    for (const names of [
      ["a", "b", "c"],
      ["c", "b", "a"],
    ] as const) {
      const reading = readTexts(Object.fromEntries(names.map((name) => [name, texts[name]])));
      if (!reading.ok) throw new Error(JSON.stringify([...reading.mistakes]));
      const [office] = reading.configuration.locations;
      expect(office?.monitors.map(({ name }) => name).toSorted()).toEqual(["mail", "shop"]);
      expect(office?.metadata).toEqual({ env: "prod" });
      expect(reading.configuration.elsewhere).toMatchObject([{ location: "berlin" }]);
    }
  });

  it("to what is in no file, and names that are there twice, are mistakes of their file", () => {
    const reading = readTexts({
      a: "private_locations: [{ name: office, monitors: [shp] }]\n",
      b: monitor,
      c: monitor,
    });
    if (reading.ok) throw new Error("it was read");
    expect(reading.mistakes.get("a")).toMatchObject([
      { line: 1, message: "is not the name of a monitor of these files; did you mean shop?" },
    ]);
    expect(reading.mistakes.get("b")).toEqual([]);
    expect(reading.mistakes.get("c")).toMatchObject([
      { path: "tcp_monitors[0].name", message: "is already the name of tcp_monitors[0] in b" },
    ]);
  });
});

describe("secrets", () => {
  const text = `http_monitors:
  - name: shop
    url: { env: SHOP_URL }
    periodicity: 30s
    headers: [{ key: Authorization, value: { env: TOKEN } }, { key: X-Key, value: { file: key } }]
`;
  it("come from variables and files, a file without the line break at its end", async () => {
    const folder = await mkdtemp(join(tmpdir(), "picket-test-"));
    await writeFile(join(folder, "key"), "planted-file\n");
    await writeFile(join(folder, "m.yaml"), text);
    const env = { SHOP_URL: "https://shop.test/?k=planted", TOKEN: "planted-variable" };
    const { monitors } = await readMonitorsFolder(folder, env);
    await rm(folder, { recursive: true });
    expect(monitors).toMatchObject([
      {
        url: "https://shop.test/?k=planted",
        headers: [{ value: "planted-variable" }, { value: "planted-file" }],
      },
    ]);
  });

  it("that are not there are mistakes with their place, and no other mapping is a text", () => {
    expect(mistakesIn(text)).toEqual([
      "3:10 http_monitors[0].url: names the variable SHOP_URL, which is not set",
      "5:44 http_monitors[0].headers[0].value: names the variable TOKEN, which is not set",
      expect.stringMatching(
        /^5:83 http_monitors\[0\]\.headers\[1\]\.value: names the file .*key, which cannot be read: ENOENT$/,
      ),
    ]);
    expect(
      mistakesIn("tcp_monitors: [{ name: { envv: A }, uri: 'a:1', periodicity: 30s }]\n"),
    ).toEqual(["1:24 tcp_monitors[0].name: must be text (put it in quotes), not a mapping"]);
  });
});

describe("several files", () => {
  it("are those of a folder that end in .yaml or .yml, in the order of their names", async () => {
    const folder = await mkdtemp(join(tmpdir(), "picket-test-"));
    await writeFile(
      join(folder, "b.yml"),
      "tcp_monitors: [{ name: b, uri: 'b:1', periodicity: 30s }]\n",
    );
    await writeFile(
      join(folder, "a.yaml"),
      "tcp_monitors: [{ name: a, uri: 'a:1', periodicity: 30s }]\n",
    );
    await writeFile(join(folder, "notes.txt"), "not YAML: [");
    const { monitors } = await readMonitorsFolder(folder, {});
    await rm(folder, { recursive: true });
    expect(monitors.map(({ name }) => name)).toEqual(["a", "b"]);
  });
});
