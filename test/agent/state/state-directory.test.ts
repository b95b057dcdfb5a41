import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import * as limits from "#limits/agent-limits";
import { silentLogger } from "#base/log";
import { keptInstanceId } from "#agent/state/instance-id";
import { keepPieces, keepText, keptText } from "#machine/kept-text";
import { noStateDirectory, openStateDirectory } from "#agent/state/state-directory";
import { temporaryFolder } from "../../support/running-service.ts";
import { canMount, smallDisk } from "../../support/small-disk.ts";
import { memoryLog } from "../../support/twins.ts";

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe("a state directory", () => {
  test("is made if it is missing, for its owner alone", () => {
    const log = memoryLog();
    const directory = path.join(temporaryFolder(), "state");
    for (let start = 0; start < 2; start += 1) {
      using state = openStateDirectory(directory, log);
      expect(state.file("x")).toBe(path.join(directory, "x"));
      expect(modeOf(directory)).toBe(0o700);
    }
    expect(log.said).toEqual([]);
  });

  test("that cannot be used is reported once, with what to do, and nothing is kept", () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "file"), "");
    for (const directory of ["/proc/state", path.join(folder, "file"), path.join(folder, "a/b")]) {
      const log = memoryLog();
      expect(openStateDirectory(directory, log).file("x")).toBeNull();
      expect(log.said).toMatchObject([{ level: "warn", fields: { directory } }]);
      expect(log.said[0]?.message).toMatch(/lost when this agent stops\. Set PICKET_STATE_DIR to/);
    }
  });
});

describe.skipIf(!canMount())("a state directory on a disk that is full", () => {
  /** Leaves no block free. */
  const fill = (folder: string): void => {
    const filler = openSync(path.join(folder, "filler"), "w");
    try {
      for (;;) writeSync(filler, Buffer.alloc(4_096));
    } catch {
      closeSync(filler);
    }
  };

  test("is used: what was kept there is read, though nothing can be written", () => {
    const log = memoryLog();
    const { folder } = smallDisk("64k");
    {
      using state = openStateDirectory(folder, log);
      keepText(state.file("assignment.json") ?? "", "known monitors");
    }
    fill(folder);
    using state = openStateDirectory(folder, log);
    expect(keptText(state.file("assignment.json") ?? "")).toBe("known monitors");
    expect(state.place).toBe(1);
    using second = openStateDirectory(folder, silentLogger);
    expect(second.place).toBe(2);
    expect(log.said).toEqual([]);
  });

  test("that has no room for a lock's name either asks for room", () => {
    const log = memoryLog();
    const { folder } = smallDisk("64k,nr_inodes=2");
    fill(folder);
    expect(openStateDirectory(folder, log)).toBe(noStateDirectory);
    expect(log.said[0]?.message).toMatch(/Make room on its disk, then start the agent again$/);
  });
});

describe("a second agent of a state directory", () => {
  test("says so, has other files, and leaves its place to the next when it ends", () => {
    const log = memoryLog();
    const folder = temporaryFolder();
    using first = openStateDirectory(folder, log);
    expect(log.said).toEqual([]);
    for (let start = 0; start < 2; start += 1) {
      using second = openStateDirectory(folder, log);
      expect([first.place, second.place]).toEqual([1, 2]);
      expect(second.file("spool.sqlite")).toBe(path.join(folder, "spool-2.sqlite"));
      expect(keptInstanceId(second, log)).not.toBe(keptInstanceId(first, log));
      expect([...first.left()]).toEqual([]);
    }
    expect(log.said.map(({ message }) => message)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining("another agent uses this state")),
    );
    const left = [...first.left()];
    expect(left.map(({ place }) => place)).toEqual([2]);
    for (const one of left) one[Symbol.dispose]();
  });

  test("of more than may be there keeps nothing, and says so", () => {
    const log = memoryLog();
    const folder = temporaryFolder();
    using taken = new DisposableStack();
    for (let n = 0; n < limits.agentsPerStateDirectoryMax; n += 1)
      taken.use(openStateDirectory(folder, log));
    expect(openStateDirectory(folder, log)).toBe(noStateDirectory);
    expect(log.said.at(-1)?.fields).toMatchObject({ "error.message": "16 other agents use it" });
  });
});

describe("an agent's id", () => {
  test("is made once and stays", () => {
    const log = memoryLog();
    const folder = temporaryFolder();
    const idIn = (directory: string): string | null => {
      using state = openStateDirectory(directory, log);
      return keptInstanceId(state, log);
    };
    const first = idIn(folder);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(idIn(folder)).toBe(first);
    expect(idIn(temporaryFolder())).not.toBe(first);
    expect(modeOf(path.join(folder, "instance"))).toBe(0o600);
    writeFileSync(path.join(folder, "instance"), "not an id\n");
    const other = idIn(folder);
    expect([other !== first, other?.length, log.said]).toEqual([true, 36, []]);
  });

  test("is none if nothing can be kept, which is said", () => {
    const log = memoryLog();
    expect(keptInstanceId(noStateDirectory, log)).toBeNull();
    expect(log.said).toEqual([]);
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "instance"));
    using state = openStateDirectory(folder, log);
    expect(keptInstanceId(state, log)).toBeNull();
    expect(log.said).toMatchObject([{ level: "warn" }]);
  });
});

test("a long text is written piece by piece: none is asked for before the one ahead of it is in the file", () => {
  const file = path.join(temporaryFolder(), "long");
  const sizes: number[] = [];
  keepPieces(
    file,
    (function* () {
      for (const piece of ["ü", "bc", "d"]) {
        sizes.push(statSync(`${file}.new`).size);
        yield piece;
      }
    })(),
  );
  expect(sizes).toEqual([0, 2, 4]);
  expect(keptText(file)).toBe("übcd");
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
