import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { keptInstanceId } from "#state/instance-id";
import { keepText, keptText } from "#state/kept-text";
import { noStateDirectory, openStateDirectory } from "#state/state-directory";
import { temporaryFolder } from "../support/running-service.ts";
import { memoryLog } from "../support/twins.ts";

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe("a state directory", () => {
  test("is made where it is missing, for its owner alone", () => {
    const log = memoryLog();
    const directory = path.join(temporaryFolder(), "state");
    expect(openStateDirectory(directory, log).file("x")).toBe(path.join(directory, "x"));
    expect(modeOf(directory)).toBe(0o700);
    expect(openStateDirectory(directory, log).file("x")).toBe(path.join(directory, "x"));
    expect(log.said).toEqual([]);
  });

  test("that cannot be had is told once, with what to do, and nothing is kept", () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "file"), "");
    for (const directory of ["/proc/state", path.join(folder, "file"), path.join(folder, "a/b")]) {
      const log = memoryLog();
      expect(openStateDirectory(directory, log).file("x")).toBeNull();
      expect(log.said).toMatchObject([{ level: "warn", fields: { directory } }]);
      expect(log.said[0]?.message).toMatch(/lost when this agent ends\. Set PICKET_STATE_DIR to/);
    }
  });
});

describe("an agent's id", () => {
  test("is made once and stays", () => {
    const log = memoryLog();
    const folder = temporaryFolder();
    const first = keptInstanceId(openStateDirectory(folder, log), log);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(keptInstanceId(openStateDirectory(folder, log), log)).toBe(first);
    expect(keptInstanceId(openStateDirectory(temporaryFolder(), log), log)).not.toBe(first);
    expect(modeOf(path.join(folder, "instance"))).toBe(0o600);
    writeFileSync(path.join(folder, "instance"), "not an id\n");
    const other = keptInstanceId(openStateDirectory(folder, log), log);
    expect([other !== first, other?.length, log.said]).toEqual([true, 36, []]);
  });

  test("is none where nothing can be kept, which is said", () => {
    const log = memoryLog();
    expect(keptInstanceId(noStateDirectory, log)).toBeNull();
    expect(log.said).toEqual([]);
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "instance"));
    expect(keptInstanceId(openStateDirectory(folder, log), log)).toBeNull();
    expect(log.said).toMatchObject([{ level: "warn" }]);
  });
});

test("a text that is kept replaces the old one whole, whatever a crash left behind, and stays private", () => {
  const file = path.join(temporaryFolder(), "text");
  expect(keptText(file)).toBeNull();
  writeFileSync(`${file}.new`, "half a te", { mode: 0o644 });
  keepText(file, "first\n");
  keepText(file, `${"ü".repeat(100_000)}\n`);
  expect([keptText(file), modeOf(file)]).toEqual([`${"ü".repeat(100_000)}\n`, 0o600]);
  rmSync(file);
  mkdirSync(file);
  expect(() => keepText(file, "no")).toThrow(/EISDIR|directory/);
});
