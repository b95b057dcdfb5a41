import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  hasSources,
  readSecrets,
  type SecretSources,
  sourcesOf,
} from "#agent/secrets/read-secrets";
import { temporaryFolder } from "../../support/running-service.ts";

function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = path.join(temporaryFolder(), "secrets");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, name), content);
  return folder;
}

const from = (directory: string, more: Partial<SecretSources> = {}): SecretSources => ({
  directory,
  file: "",
  hostsFile: "",
  written: [],
  vault: null,
  ...more,
});

const usable = (sources: SecretSources): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...readSecrets(sources).table.secrets].map(([name, { value, hosts }]) => [
      name,
      [value, ...hosts.map(({ text }) => text)],
    ]),
  );

const why = (sources: SecretSources, name: string): string =>
  readSecrets(sources).table.unusable.get(name) ?? "it can be used";

describe("a folder of secrets", () => {
  test("has a file for each, and the hosts of one next to it", () => {
    const folder = folderOf({
      api: "tok_123456\n",
      "api.hosts": "# the shop\napi.test, *.internal:8443\nhttp://10.0.0.7\n",
      "db.password": "  with spaces  ",
    });
    expect(usable(from(folder))).toEqual({
      api: ["tok_123456", "api.test", "*.internal:8443", "http://10.0.0.7"],
      "db.password": ["  with spaces  "],
    });
  });

  test("may be one that Kubernetes mounts: links to a folder that begins with dots", () => {
    const folder = folderOf({});
    mkdirSync(path.join(folder, "..2026_11_24"));
    writeFileSync(path.join(folder, "..2026_11_24", "api"), "tok_123456");
    symlinkSync("..2026_11_24", path.join(folder, "..data"));
    symlinkSync("..data/api", path.join(folder, "api"));
    expect(usable(from(folder))).toEqual({ api: ["tok_123456"] });
  });

  test.each<readonly [what: string, content: string | Buffer, sentence: RegExp]>([
    ["an empty file", "", /^it is empty/],
    ["a short value", "abc\n", /^it has fewer than 6 characters/],
    ["a NUL", "abc\0defghi", /^it holds a NUL character/],
    [
      "bytes that are no text",
      Buffer.from([0xff, 0xfe, 1, 2, 3, 4, 5, 6, 7]),
      /^it is not text in UTF-8/,
    ],
    ["a megabyte", "x".repeat(1024 * 1024), /cannot be read: is larger than 64 KiB$/],
  ])("with %s costs that secret alone, and says why without the value", (_, content, sentence) => {
    const sources = from(folderOf({ bad: content, good: "tok_123456" }));
    expect(why(sources, "bad")).toMatch(sentence);
    expect(why(sources, "bad")).not.toContain("defghi");
    expect(usable(sources)).toEqual({ good: ["tok_123456"] });
  });

  test("with a host that cannot be read keeps that secret from every host", () => {
    const sources = from(folderOf({ api: "tok_123456", "api.hosts": "api.test\nftp://x\n" }));
    expect(why(sources, "api")).toMatch(/has the entry "ftp:\/\/x", which is not a host/);
    expect(usable(sources)).toEqual({});
  });

  test("with a link that leads elsewhere does not follow it", () => {
    const folder = folderOf({});
    symlinkSync("/etc/passwd", path.join(folder, "api"));
    expect(why(from(folder), "api")).toMatch(/is a link that leads out of its folder$/);
  });

  test("with a file that cannot be opened says why", () => {
    const folder = folderOf({});
    symlinkSync("api", path.join(folder, "api"));
    expect(why(from(folder), "api")).toMatch(/cannot be read: ELOOP$/);
  });

  test("that is not there is an error by the name of its setting", () => {
    expect(readSecrets(from("/nowhere/secrets")).errors).toEqual([
      "PICKET_SECRETS_DIR cannot be read: ENOENT (/nowhere/secrets)",
    ]);
  });
});

describe("secrets", () => {
  test("may be lines of a file, and variables, with their hosts in one table", () => {
    const folder = folderOf({
      lines: "# of the shop\napi=tok=123456\n\nbad line\n",
      hosts: "api api.test *.internal\nOTHER 10.0.0.0/8\n",
    });
    const sources = sourcesOf({
      PICKET_SECRETS_FILE: path.join(folder, "lines"),
      PICKET_SECRETS_HOSTS_FILE: path.join(folder, "hosts"),
      PICKET_SECRET_OTHER: "other-value",
    });
    expect(usable(sources)).toEqual({
      api: ["tok=123456", "api.test", "*.internal"],
      OTHER: ["other-value", "10.0.0.0/8"],
    });
    expect(readSecrets(sources).errors).toEqual([
      `PICKET_SECRETS_FILE: line 4 of ${path.join(folder, "lines")} is not NAME=VALUE`,
    ]);
  });

  test("of one name in two places are not used, because no one can tell which is meant", () => {
    const sources = from(folderOf({ api: "tok_123456" }), { written: [["api", "tok_654321"]] });
    expect(why(sources, "api")).toMatch(
      /^it is in the variable PICKET_SECRET_api and in .*: remove one$/,
    );
    expect(usable(sources)).toEqual({});
  });

  test("show themselves nowhere if they are printed", () => {
    const { table } = readSecrets(from(folderOf({ api: "tok_123456" })));
    expect(inspect(table, { depth: 9 }) + JSON.stringify([...table.secrets])).not.toContain("tok_");
  });

  test("are looked for only if a setting says where", () => {
    expect(hasSources(sourcesOf({ PICKET_SECRETS_HOSTS_FILE: "/x" }))).toBe(false);
    expect(hasSources(sourcesOf({ PICKET_SECRET_api: "tok_123456" }))).toBe(true);
  });
});
