import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";
import { longest } from "./support/longest-first.ts";
import { withoutComments } from "./support/without-comments.ts";

/** The rules of ARCHITECTURE.md that no compiler knows, held against every source file. */

const root = path.resolve(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const sources = globSync("src/**/*.ts", { cwd: root })
  .filter((file) => !file.includes("/contract/gen/"))
  .toSorted();
const tests = globSync("test/**/*.ts", { cwd: root }).toSorted();

const connect = ["@connectrpc/connect", "@connectrpc/connect-node", "@bufbuild/protobuf"];
const checks = ["network", "check"];

/**
 * What each room may import: other rooms, whether node's modules, and packages. A room inside another has its own row if
 * it may import less than the room around it.
 */
const floors: Readonly<Record<string, { rooms: string[]; node: boolean; packages: string[] }>> = {
  base: { rooms: [], node: false, packages: [] },
  limits: { rooms: [], node: false, packages: [] },
  machine: { rooms: [], node: true, packages: [] },
  network: { rooms: [], node: false, packages: [] },
  check: { rooms: ["network"], node: false, packages: [] },
  assertions: { rooms: ["check"], node: false, packages: [] },
  wire: { rooms: ["contract", "check"], node: false, packages: ["@bufbuild/protobuf"] },
  signing: {
    rooms: [...checks, "wire"],
    node: true,
    packages: ["@bufbuild/protobuf"],
  },
  transport: {
    rooms: [...checks, "contract", "wire"],
    node: true,
    packages: ["ws", "@bufbuild/protobuf"],
  },
  probes: { rooms: [...checks, "machine"], node: true, packages: ["dns-packet"] },
  metrics: {
    rooms: [...checks, "probes"],
    node: true,
    packages: [
      "@opentelemetry/api",
      "@opentelemetry/exporter-metrics-otlp-http",
      "@opentelemetry/otlp-exporter-base",
      "@opentelemetry/otlp-transformer",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-metrics",
      "undici",
    ],
  },
  config: { rooms: [...checks, "machine"], node: true, packages: [] },
  // It runs in readers' browsers.
  browser: { rooms: [], node: false, packages: ["idiomorph", "tinykeys", "uplot"] },
  "web/page": { rooms: ["check"], node: false, packages: [] },
  web: { rooms: ["network"], node: true, packages: [] },
  "agent/secrets": { rooms: [...checks, "config", "machine"], node: true, packages: [] },
  "agent/prober": {
    rooms: [...checks, "agent/secrets", "machine", "assertions", "probes", "wire"],
    node: true,
    packages: [],
  },
  "agent/vantage": { rooms: checks, node: true, packages: [] },
  "agent/signing": {
    rooms: ["check", "agent/state", "contract", "signing", "transport", "wire"],
    node: true,
    packages: ["@bufbuild/protobuf"],
  },
  "agent/spool": { rooms: ["wire"], node: true, packages: [] },
  "agent/state": {
    rooms: ["contract", "check", "agent/vantage", "machine", "wire"],
    node: true,
    packages: ["@bufbuild/protobuf"],
  },
  agent: {
    rooms: [...checks, "agent/prober", "agent/spool", "agent/state", "agent/vantage"].concat([
      "agent/secrets",
      "signing",
      "config",
      "machine",
      "metrics",
      "probes",
      "transport",
      "wire",
    ]),
    node: true,
    packages: ["env-schema"],
  },
  "agent/endpoint": {
    rooms: [...checks, "agent", "agent/prober", "machine", "transport", "web", "web/page"],
    node: true,
    packages: [],
  },
  "service/notify": {
    rooms: [...checks, "contract", "web/page"],
    node: true,
    packages: ["undici", "nodemailer", "@bufbuild/protobuf"],
  },
  "service/alerting": { rooms: [...checks, "service/notify"], node: false, packages: [] },
  "service/status-page": { rooms: ["check"], node: false, packages: [] },
  "service/resources": {
    rooms: ["check", "service/alerting", "service/notify", "service/status-page"],
    node: false,
    packages: [],
  },
  "service/store": {
    rooms: ["check", "machine", "service/alerting", "service/notify", "service/resources"].concat([
      "service/status-page",
      "wire",
    ]),
    node: true,
    packages: ["pg"],
  },
  service: {
    rooms: [...checks, "config", "contract", "machine", "metrics", "service/alerting"].concat([
      "service/notify",
      "service/resources",
      "service/status-page",
      "service/store",
      "signing",
      "web",
      "web/page",
      "wire",
    ]),
    node: true,
    packages: [
      "ws",
      "@fastify/busboy",
      "markdown-it",
      "nanotar",
      "openid-client",
      "otpauth",
      "qr",
      "@simplewebauthn/server",
      ...connect,
    ],
  },
  cli: {
    rooms: [...checks, "agent", "agent/endpoint", "agent/prober", "agent/spool"].concat([
      "agent/state",
      "agent/secrets",
      "agent/signing",
      "agent/vantage",
      "signing",
      "config",
      "contract",
      "machine",
      "metrics",
      "probes",
      "service",
      "service/alerting",
      "service/notify",
      "service/resources",
      "service/status-page",
      "service/store",
      "transport",
      "wire",
    ]),
    node: true,
    packages: ["pino", "js-yaml", "dns-packet", ...connect],
  },
  main: { rooms: ["cli"], node: false, packages: [] },
};

/** The room of a path without `src/`, e.g. `service/store` of `service/store/verbs/work`. */
function roomOfPath(inside: string): string {
  const parts = inside.split("/");
  const inner = parts.slice(0, 2).join("/");
  return parts.length > 2 && Object.hasOwn(floors, inner) ? inner : (parts[0] ?? "");
}

const roomOf = (file: string): string => roomOfPath(file.slice("src/".length).replace(/\.ts$/, ""));

interface Import {
  readonly file: string;
  readonly specifier: string;
}

const importPattern = /(?<!["\w])(?:from|import|import\()\s*"([^"]+)"/g;
const importsOf = (file: string): readonly Import[] =>
  [...read(file).matchAll(importPattern)].map(([, specifier = ""]) => ({ file, specifier }));
const imports = sources.flatMap(importsOf);

/** Every file that is loaded with one: what it imports by value, and what that does. */
function reachedFrom(start: string): readonly string[] {
  const reached = new Set([start]);
  for (const file of reached)
    for (const [, names = "", specifier = ""] of read(file).matchAll(valueImport))
      if (specifier.startsWith("#") && !isTypesOnly(names)) {
        const next = `src/${specifier.slice(1)}.ts`;
        if (sources.includes(next)) reached.add(next);
      }
  return [...reached];
}

const valueImport = /^import (?!type\b)(?:([^;"]*?) from )?"([^"]+)";/gm;
const isTypesOnly = (names: string): boolean => {
  const listed = /^\{([^}]*)\}$/.exec(names.trim())?.[1]?.split(",") ?? [];
  const written = listed.map((name) => name.trim()).filter((name) => name !== "");
  return written.length > 0 && written.every((name) => name.startsWith("type "));
};

function allowed({ file, specifier }: Import): boolean {
  const room = roomOf(file);
  const floor = floors[room];
  if (floor === undefined) return false;
  if (specifier.startsWith("node:")) return floor.node;
  if (!specifier.startsWith("#")) {
    const name = specifier
      .split("/")
      .slice(0, specifier.startsWith("@") ? 2 : 1)
      .join("/");
    return floor.packages.includes(name);
  }
  const target = roomNamed(specifier);
  if (room === "browser") return target === room || sharedWithBrowsers.has(specifier);
  return ["base", "limits", room].includes(target) || floor.rooms.includes(target);
}

/** Rules that the service and its pages' scripts have in common: `web/script-texts.ts` sends them, too. */
const sharedWithBrowsers = new Set(["#base/name-rank"]);

/** The room of one of our own specifiers, e.g. `#check/monitor`; the manifest is read by base. */
const roomNamed = (specifier: string): string =>
  specifier === "#manifest" ? "base" : roomOfPath(specifier.slice(1));

/**
 * The floors inside a room, from the ground up: an inner room imports only those before it. Files of the room itself are
 * on top, or where "." is.
 */
const innerFloors: Readonly<Record<string, readonly string[]>> = {
  probes: ["socket", "raw", "resolve", "connection", "evidence", "http"].concat([
    "tcp",
    "dns",
    "icmp",
    "grpc",
    ".",
  ]),
  agent: [
    "secrets",
    "prober",
    "vantage",
    "looks",
    "checks",
    "state",
    "signing",
    "spool",
    "link",
  ].concat(["settings", ".", "endpoint"]),
  service: ["notify", "alerting", "settings", "status-page", "resources", "store", "edge"].concat([
    "monitors",
    "agents",
    "downloads",
    "maintenance",
    "channels",
    "alerts",
    "judge",
    "status-site",
    "configuration",
    "api",
    "oidc",
    "people",
    "operator",
    ".",
  ]),
  cli: ["edge", "grammar", "management", "agent", "apply", "key", "check", "completion"].concat([
    "doctor",
    "health",
    "why",
    "service",
    "status-page",
    "up",
    ".",
  ]),
};

/** The inner room of a path without `src/`: "." for a file that is directly in its room. */
const innerOf = (inside: string): string => {
  const parts = inside.split("/");
  return parts.length > 2 ? (parts[1] ?? "") : ".";
};

/** The modules of browsers that pages begin with. */
const scriptTags = new Set(
  sources.flatMap((file) =>
    Array.from(
      read(file).matchAll(/\b(?:script(?:Tag|Text)|earlyScriptTag)\("([\w-]+)"\)/g),
      ([, name]) => `src/browser/${name}.ts`,
    ),
  ),
);

describe("the house", () => {
  test("has the rooms that ARCHITECTURE.md shows, and no other", () => {
    expect([...new Set(sources.map(roomOf))].toSorted()).toEqual(Object.keys(floors).toSorted());
    const page = read("ARCHITECTURE.md");
    const rows = [...page.matchAll(/^\| `src\/([\w/-]+?)(?:\/|\.ts)`/gm)].map(
      ([, name = ""]) => name,
    );
    expect(rows.toSorted()).toEqual(Object.keys(floors).toSorted());
    const inner = globSync("src/*/*/", { cwd: root })
      .map((folder) => folder.split(path.sep).slice(-2))
      .filter(([room = ""]) => !Object.hasOwn(innerFloors, room));
    expect(inner.filter(([, name]) => !page.includes(`${name}/`))).toEqual([]);
  });
  test("has floors inside its largest rooms, as ARCHITECTURE.md draws them, and no import goes up", () => {
    const page = read("ARCHITECTURE.md");
    for (const [room, order] of Object.entries(innerFloors)) {
      expect(page).toContain(`${room}: ${order.join(" → ")}`);
      const folders = globSync(`src/${room}/*/`, { cwd: root }).map((one) => path.basename(one));
      expect([...folders, "."].toSorted()).toEqual([...order].toSorted());
      const upward = imports.filter(({ file, specifier }) => {
        if (!file.startsWith(`src/${room}/`) || !specifier.startsWith(`#${room}/`)) return false;
        const from = order.indexOf(innerOf(file.slice("src/".length)));
        return order.indexOf(innerOf(specifier.slice(1))) > from;
      });
      expect(upward).toEqual([]);
    }
  });
  test("loads for a command what it needs: the service and its clients nothing of agent and probes", () => {
    const loaded = reachedFrom("src/cli/service/service-command.ts");
    expect(loaded.length).toBeGreaterThan(400);
    expect(loaded.filter((file) => /^src\/(agent|probes)\//.test(file))).toEqual([]);
    const help = reachedFrom("src/main.ts");
    expect(help.filter((file) => /^src\/(agent|probes)\//.test(file))).toEqual([]);
    expect(help.length).toBeLessThan(60);
    const status = reachedFrom("src/cli/management/status-command.ts");
    expect(status.filter((file) => /^src\/(probes|service)\//.test(file))).toEqual([]);
    const agent = reachedFrom("src/cli/agent/agent-command.ts");
    expect(agent.filter((file) => file.startsWith("src/service/"))).toEqual([]);
  });
  test("has no folder with more than 60 files: one that is larger is parted", () => {
    const folders = Map.groupBy(sources, (file) => path.dirname(file));
    const large = [...folders].filter(([, files]) => files.length > 60).map(([folder]) => folder);
    expect(large).toEqual([]);
  });
  test("has every test file that is named as one of the longest", () => {
    expect(longest.filter((name) => !tests.includes(`test/${name}.test.ts`))).toEqual([]);
  });
  test("has every script in CONTRIBUTING.md's table", () => {
    const manifest: Record<string, Record<string, string>> = JSON.parse(read("package.json"));
    const page = read("CONTRIBUTING.md");
    const missing = Object.keys(manifest["scripts"] ?? {}).filter((name) =>
      name.startsWith("bench:")
        ? !new RegExp(`bench/.*\\b${name.slice("bench:".length)}\\b`).test(page)
        : !page.includes(`\`npm run ${name}\``) &&
          !page.includes(`\`npm ${name}\``) &&
          !page.includes(`\`${name}\``),
    );
    expect(missing).toEqual([]);
  });
  test("keeps its floors: no room imports what it may not", () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.filter((one) => !allowed(one))).toEqual([]);
  });
  test("has no floor that is wider than what its room imports", () => {
    const used = new Set(
      imports.map(({ file, specifier }) => {
        const kind = specifier.startsWith("#") ? roomNamed(specifier) : specifier;
        return `${roomOf(file)} ${kind.startsWith("node:") ? "node:" : kind}`;
      }),
    );
    const allowances = Object.entries(floors).flatMap(([room, { rooms, node, packages }]) =>
      [...rooms, ...(node ? ["node:"] : []), ...packages].map((one) => `${room} ${one}`),
    );
    const isUsed = (one: string): boolean =>
      [...used].some((name) => name === one || name.startsWith(`${one}/`));
    expect(allowances.filter((one) => !isUsed(one))).toEqual([]);
  });
  test("has the floors that ARCHITECTURE.md shows", () => {
    const shown = [...read("ARCHITECTURE.md").matchAll(/^\| `src\/([\w/-]+)\/` .*\|([^|]*)\|$/gm)];
    expect(shown.length).toBeGreaterThan(20);
    const wrong = shown.flatMap(([, room = "", column = ""]) => {
      const wanted = floors[room]?.rooms
        .filter((one) => one !== "contract")
        .toSorted()
        .join(", ");
      const listed = (column.replace(/;.*/, "").match(/(?<![`\w/@-])[\w/-]+(?![\w:])/g) ?? [])
        .filter((word) => Object.hasOwn(floors, word) && !["base", "limits"].includes(word))
        .toSorted()
        .join(", ");
      // The commands may import everything, which is shorter to say.
      return room === "cli" || listed === wanted ? [] : [`${room}: ${wanted}`];
    });
    expect(wrong).toEqual([]);
  });
  test("loads on demand what most services and agents never need", () => {
    const onDemand =
      /^import (?!type\b).* from "(undici|nodemailer|openid-client|@simplewebauthn\/server)"/m;
    const eager = sources.filter((file) => roomOf(file) !== "metrics" && onDemand.test(read(file)));
    expect(eager).toEqual([]);
  });
  test("has no relative imports, barrels or default exports", () => {
    expect(imports.filter(({ specifier }) => specifier.startsWith("."))).toEqual([]);
    const offenders = sources.filter((file) => /^export (\*|default)/m.test(read(file)));
    expect(offenders).toEqual([]);
  });
  test("has no dead file: each one is imported by another, or is where a thread begins", () => {
    const imported = new Set(imports.map(({ specifier }) => `src/${specifier.slice(1)}.ts`));
    // The vocabulary of notices stands before those who speak it.
    const entries = new Set([
      "src/main.ts",
      "src/agent/prober/probe-worker.ts",
      "src/service/store/sqlite/store-worker.ts",
      ...scriptTags,
    ]);
    expect(sources.filter((file) => !imported.has(file) && !entries.has(file))).toEqual([]);
  });
  test("exports only what another file imports, so that the compiler finds what is dead", () => {
    const readers = [
      ...sources,
      ...globSync("{test,bench,scripts,packaging}/**/*.ts", { cwd: root }),
    ];
    const files = Map.groupBy(
      readers.flatMap((file) => {
        const words = new Set(withoutComments(read(file)).match(/\w+/g));
        return [...words].map((word) => ({ word, file }));
      }),
      ({ word }) => word,
    );
    const own = sources.flatMap((file) =>
      [...read(file).matchAll(/^export (?:async |abstract )?(?:\w+) (\w+)/gm)]
        .filter(([, name = ""]) => files.get(name)?.length === 1)
        .map(([, name = ""]) => `${file}: ${name}`),
    );
    expect(own).toEqual([]);
  });
  test("has no test that leaves its folder behind: who makes one removes it", () => {
    const making = [...tests, ...globSync("{bench,packaging}/*.ts", { cwd: root })].filter((file) =>
      /\bmkdtemp(Sync)?\(/.test(read(file)),
    );
    expect(making.length).toBeGreaterThan(5);
    expect(making.filter((file) => !/\brm(Sync)?\(/.test(read(file)))).toEqual([]);
  });
  test("gives no test less time than every test has: a limit is for what hangs, not for a busy machine", () => {
    const [, common = ""] = /^  testTimeout: ([\d_]+),$/m.exec(read("vitest.config.ts")) ?? [];
    const short = tests.filter((file) =>
      [...read(file).matchAll(/^ *\{ timeout: ([\d_]+) \},$/gm)].some(
        ([, limit = ""]) => asNumber(limit) < asNumber(common),
      ),
    );
    expect([asNumber(common), short]).toEqual([300_000, []]);
  });
  test("has no two sources of one name", () => {
    // The store's verbs are named as the files of the service that call them; a body is read, and is judged.
    const twice = new Set(["history", "instances", "keys", "locations", "monitors"].concat("body"));
    const named = Map.groupBy(sources, (file) => path.basename(file, ".ts"));
    const doubled = [...named].filter(([name, files]) => files.length > 1 && !twice.has(name));
    expect(doubled).toEqual([]);
  });
  test("has each test where its source lies: test/ mirrors src/ within a room", () => {
    const known = new Set(sources.map((file) => file.slice("src/".length, -".ts".length)));
    const isTwin = (twin: string) => (one: string) =>
      path.basename(one) === path.basename(twin) && roomOfPath(one) === roomOfPath(twin);
    const stray = tests.filter((file) => {
      const twin = /^test\/(.+)\.test\.ts$/.exec(file)?.[1] ?? "";
      return twin !== "" && !known.has(twin) && [...known].some(isTwin(twin));
    });
    expect(stray).toEqual([]);
  });
  test("names every file for what it holds", () => {
    const banned = /(^|\/|-)(utils?|helpers?|types?|manager|handler|data|common|misc|index)\.ts$/;
    expect([...sources, ...tests].filter((file) => banned.test(file))).toEqual([]);
  });
});

/** A wrong address ends the process: each of these files is read with that in mind. */
const speakingC = ["src/agent/unused-memory.ts", "src/cli/edge/supervisor.ts"].concat(
  [
    "src/probes/socket/kernel-clock.ts",
    "src/probes/socket/socket-calls.ts",
    "src/probes/socket/socket-evidence.ts",
    "src/probes/raw/kernel-calls.ts",
    "src/probes/raw/openssl.ts",
  ].toSorted(),
);

describe("every source file", () => {
  test("leaves C alone, but for those that open its library", () => {
    const opening = /\b(dlopen|getRawPointer|getFunction|toBuffer|setInt\w*)\(/;
    const found = sources.filter((file) => opening.test(withoutComments(read(file))));
    expect(found).toEqual(speakingC);
  });
  test("fits in a reader's head: at most 300 lines", () => {
    expect(sources.filter((file) => read(file).split("\n").length > 301)).toEqual([]);
  });
  test("names its types with nouns: no participle, which says nothing in another room", () => {
    const declared =
      /^\s*(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class) ([A-Z]\w*)/gm;
    const participle =
      /(^|[a-z])([A-Z]\w*[^e]ed|(Said|Told|Held|Known|Kept|Sent|Seen|Given|Gone|Found|Written|Made|Won|Whose|Who))$/;
    // "Answer" alone is the word of DNS, and there it is exact.
    const vague = (file: string, name: string): boolean =>
      participle.test(name) || (name === "Answer" && file !== "src/probes/resolve/dns-message.ts");
    const offenders = sources.flatMap((file) =>
      [...read(file).matchAll(declared)]
        .map(([, name = ""]) => name)
        .filter((name) => vague(file, name))
        .map((name) => `${file}: ${name}`),
    );
    expect(offenders).toEqual([]);
  });
  test("has a use for every limit, and each has a reason above it", () => {
    const tables = sources.filter((file) => file.startsWith("src/limits/"));
    const words = sources.flatMap((file) => read(file).match(/\w+/g) ?? []);
    const uses = Map.groupBy(words, (word) => word);
    const names = tables.flatMap((file) =>
      [...read(file).matchAll(/^export const (\w+)/gm)].map(([, name = ""]) => name),
    );
    expect(names.length).toBeGreaterThan(300);
    expect(names.filter((name) => (uses.get(name)?.length ?? 0) < 2)).toEqual([]);
    const bare = tables.filter((file) => /\n\n(\/\* .* \*\/\n\n)?export/.test(read(file)));
    expect(bare).toEqual([]);
  });
  test("asks only the clock for the time", () => {
    const timing =
      /\b(Date\.now|new Date\(\)|setTimeout|setInterval|performance\.now|process\.hrtime)\b/;
    const offenders = sources.filter(
      // A browser has its own.
      (file) =>
        file !== "src/base/clock.ts" &&
        roomOf(file) !== "browser" &&
        timing.test(withoutComments(read(file))),
    );
    expect(offenders).toEqual([]);
  });
  test("finishes what it begins: no notes to do it later, no casts to any, nothing switched off", () => {
    const loose =
      /\b(TODO|FIXME|XXX|HACK)\b|\bas any\b|@ts-(ignore|expect-error|nocheck)|\b(it|test|describe)\.(only|skip|todo)\b/;
    // This file has to spell what it looks for.
    const all = [...sources, ...tests].filter((file) => file !== "test/tidy.test.ts");
    expect(all.filter((file) => loose.test(read(file)))).toEqual([]);
  });
});

/** Words that a native reader has to read twice, and what we say instead. */
const insteadOf: readonly (readonly [RegExp, string])[] = [
  [/\b(told|tells)\b/i, "reported, logged, shown, prints"],
  [/\bmend(s|ed)?\b/i, "fix, correct"],
  [/\bgiven up\b/i, "dropped (a result), aborted (a check)"],
  [/\bfor ever\b/i, "forever"],
  [/\bgoes on\b/i, "continues"],
  [/\bheld against\b/i, "checked against, compared with"],
  [/\bnobody\b/i, "no one, or the fact without a person"],
  [/\b(somebody|anybody)\b/i, "a person, another process, or the fact without one"],
  [/\b(is|are|was|were|ever|last|never) heard\b/i, "seen, reports"],
  [/\bis begun\b/i, "is started"],
  // "A server of its own"; "ahead of its own clock" is plain.
  [/\bof its own(?=[.,;:)]|\s*$| (and|while|by|in|on|that)\b)/i, "its own, separate"],
  [/, as (\d|\[|`?https?:|\.\w|[\w-]+=)/, "e.g. before an example"],
];

/** The grammar of the same dialect: checked in what people see, which is strings, not comments. */
const insteadOfGrammar: readonly (readonly [RegExp, string])[] = [
  [/\blook whether\b/i, "check that"],
  [/\bbeside\b/i, "in addition to, next to"],
  [/\bstands? (in|on|at|there|here|beside|before|for)\b/i, "is in, is on"],
  [/(?<!\b(there|here)) (is|are) no (?!longer|more than|longer\b)\w+/i, "is not a"],
  [/\bwhich is no\b|\bis none (of|that)\b/i, "is not a, is not one of"],
  [/(?<!\bknows? )\bwhere (there|no|none|nothing) (is|are|was|has|have|had|came)\b/i, "if"],
  [/(^|[.:] )Where [^.|]*, /, "if"],
  [/\bwhat (waits|came|lies|was there|is there)\b/i, "a noun"],
  [/\ball the same\b/i, "anyway, still"],
  [/\b(of yours|of ours)\b/i, "your own, our"],
  [/\b(makes?|made|begins?|begin it) anew\b/i, "again, starts empty"],
  [/\breckon(s|ed)?\b/i, "calculate"],
  [/\bas ever\b/i, "as usual"],
];

/** In a sentence of a page, these may say a place; in a short string they never do. */
const insteadOfWhere: typeof insteadOf = [
  [/(?<!\bknows? )\bwhere (one|it|they|that|two) (is|are|was|has|have|had|came)\b/i, "if"],
];

const misread = (
  file: string,
  texts: readonly string[],
  banned: typeof insteadOf = insteadOf,
): readonly string[] =>
  texts.flatMap((text) =>
    banned.flatMap(([word, better]) => {
      const found = word.exec(text);
      return found === null ? [] : [`${file}: "${found[0]}" in "${text.trim()}": say ${better}`];
    }),
  );

/** Every string of a source that a person may read: literals and pieces of templates, without comments of SQL. */
function stringsOf(file: string): readonly string[] {
  const strings: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, value }: { type?: unknown; value?: unknown } = node;
    if (type === "Literal" && typeof value === "string") strings.push(value);
    if (type === "TemplateElement" && typeof value === "object" && value !== null)
      strings.push(...Object.values(value).map(String));
    Object.values(node).forEach(walk);
  };
  walk(parseAst(read(file), { lang: "ts" }));
  return [...new Set(strings)].map((text) => text.replace(/^\s*--.*$/gm, ""));
}

/** A comment of several lines as one text. */
const commentsOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/\/\*[\s\S]*?\*\/|(?:^\s*\/\/.*\n)+/gm)].map(([comment]) =>
    comment.replace(/\n\s*(\*|\/\/)/g, ""),
  );

const titlesOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/\b(?:test|describe|it)\b[^"\n]*\(\s*"([^"]+)"/g)].map(
    ([, title = ""]) => title,
  );

describe("every text that a person reads", () => {
  test("in the sources, comments included, has no word that has to be read twice", () => {
    const all = sources.map((file) => [file, [...stringsOf(file), ...commentsOf(file)]] as const);
    expect(all.flatMap(([, texts]) => texts).length).toBeGreaterThan(1000);
    expect(all.flatMap(([file, texts]) => misread(file, texts))).toEqual([]);
  });

  test("in the sources' strings has the grammar of plain English", () => {
    const found = sources.flatMap((file) =>
      misread(file, stringsOf(file), [...insteadOfGrammar, ...insteadOfWhere]),
    );
    expect(found).toEqual([]);
  });

  test("of the tests' titles has no such word", () => {
    expect(tests.flatMap(titlesOf).length).toBeGreaterThan(1000);
    const banned = [...insteadOf, ...insteadOfGrammar];
    expect(tests.flatMap((file) => misread(file, titlesOf(file), banned))).toEqual([]);
  });

  test("of the tests' titles is a sentence after its describe's, not the second half of one", () => {
    const halves = /^(of which|and|where|which|whose|but|or)\b/;
    const found = tests.flatMap((file) =>
      titlesOf(file)
        .filter((title) => halves.test(title))
        .map((title) => `${file}: ${title}`),
    );
    expect(found).toEqual([]);
  });

  test("in the pages has no such word", () => {
    const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root }).filter(
      (page) => page !== "CHANGELOG.md",
    );
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.flatMap((page) => misread(page, read(page).split("\n")))).toEqual([]);
    // Records of measurements are notes for who measures again.
    const found = pages
      .filter((page) => !page.startsWith("docs/evidence/"))
      .flatMap((page) => misread(page, read(page).split("\n"), insteadOfGrammar));
    expect(found).toEqual([]);
  });

  test("has no marks of an unfinished merge, which the formatter takes for rows and quotations", () => {
    const all = globSync(["*.md", "docs/**/*.md", "{src,test,proto}/**/*.{ts,proto}"], {
      cwd: root,
    });
    expect(all.length).toBeGreaterThan(1000);
    const marks = /<{7} |>{7} |(> ){7}/;
    expect(all.filter((file) => marks.test(read(file)))).toEqual([]);
  });
});

describe("what is installed", () => {
  const manifest: Record<string, Record<string, string>> = JSON.parse(read("package.json"));
  test("is pinned exactly", () => {
    const all = ["dependencies", "devDependencies", "optionalDependencies"].flatMap((group) =>
      Object.entries(manifest[group] ?? {}),
    );
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
  test("is locked without download addresses, and without engines, which npm compares with another Node.js (npm run lock)", () => {
    expect(read("package-lock.json")).not.toMatch(/"(resolved|engines)"/);
  });
  test("is used: every package that ships is imported somewhere", () => {
    const used = new Set(
      imports.map(({ specifier }) =>
        specifier
          .split("/")
          .slice(0, specifier.startsWith("@") ? 2 : 1)
          .join("/"),
      ),
    );
    expect(Object.keys(manifest["dependencies"] ?? {}).filter((name) => !used.has(name))).toEqual(
      [],
    );
  });
});

const asNumber = (written: string): number => Number(written.replaceAll("_", ""));
