import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import * as limits from "#limits/spool-limits";
import type { Spool } from "#agent/spool/spool";
import { SqliteSpool } from "#agent/spool/sqlite-spool";
import { hours, mebibytes } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { reportWith, start, waitingIn } from "../../support/reports.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { isInstalled } from "../../support/installed.ts";
import { canMount, smallDisk } from "../../support/small-disk.ts";
import { startSpoolProcess } from "../../support/spool-driver.ts";
import { memoryLog } from "../../support/twins.ts";

function scene(file: string = path.join(temporaryFolder(), "spool")) {
  const clock = new FakeClock(start);
  const log = memoryLog();
  const open = (): Spool =>
    new SqliteSpool({ file, clock, log, limits: { bytesMax: mebibytes(64), ageMax: hours(24) } });
  const said = (): readonly string[] => log.said.map(({ message }) => message);
  const aside = (): readonly string[] =>
    readdirSync(path.dirname(file)).filter((name) => /aside-[\d.TZ-]+$/.test(name));
  return { file, clock, log, open, said, aside };
}

function fill(spool: Spool, from: number, to: number, body = 500): void {
  for (let at = from; at < to; at += 1) spool.add(reportWith({ at, body }));
}

const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, n) => `m@${from + n}`);

/** Has a spool saved, then does something to its file while no one has it open. */
function damaged(open: () => Spool, damage: () => void): void {
  {
    using spool = open();
    fill(spool, 0, 200);
  }
  damage();
}

const overwrite = (file: string, at: number, length: number): void => {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, at, at + length);
  writeFileSync(file, bytes);
};

describe("a file that is not a spool is set aside, and the agent continues", () => {
  const withSqlite = (file: string, sql: string): void => {
    const sqlite = new DatabaseSync(file);
    sqlite.exec(sql);
    sqlite.close();
  };
  const cases: readonly (readonly [string, RegExp, (file: string) => void])[] = [
    ["text", /not one of Picket's/, (file) => writeFileSync(file, "dear diary,\n".repeat(500))],
    [
      "another program's database",
      /not one of Picket's/,
      (file) => withSqlite(file, "CREATE TABLE diary (day)"),
    ],
    ["a newer Picket's", /newer Picket/, (file) => withSqlite(file, "PRAGMA user_version = 2")],
    ["one without its first page", /not one of Picket's/, (file) => overwrite(file, 0, 4096)],
    ["one with a broken page inside", /damaged/, (file) => overwrite(file, 5 * 4096, 4096)],
    ["one that was cut off", /damaged/, (file) => truncateSync(file, 6 * 4096)],
  ];
  test.each(cases)("%s", (name, sentence, damage) => {
    const { file, open, said, aside, log } = scene();
    const ours = !/text|another/.test(name);
    if (ours) damaged(open, () => damage(file));
    else damage(file);
    const before = readFileSync(file);
    using spool = open();
    expect(said()).toHaveLength(1);
    expect(said()[0]).toMatch(/^the spool is set aside, and a new one is started: /);
    expect(said()[0]).toMatch(sentence);
    expect(log.said[0]?.fields["file"]).toBe(file);
    expect(aside()).toHaveLength(1);
    expect(readFileSync(path.join(path.dirname(file), aside()[0] ?? ""))).toEqual(before);
    fill(spool, 0, 3);
    spool.save();
    expect([spool.durable, spool.size]).toEqual([true, 3]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("only the newest of many such files are kept", async () => {
    const { file, open, clock, aside } = scene();
    for (let round = 0; round < limits.spoolsAsideMax + 2; round += 1) {
      rmSync(file, { force: true });
      writeFileSync(file, `round ${round}`);
      open()[Symbol.dispose]();
      await clock.advance(1_000);
    }
    const kept = aside().map((name) => readFileSync(path.join(path.dirname(file), name), "utf8"));
    expect(kept).toEqual(["round 2", "round 3", "round 4"]);
  });
});

test("a row that holds no result any more is dropped and counted, and those next to it are not", () => {
  const { file, open, said } = scene();
  damaged(open, () => {
    const sqlite = new DatabaseSync(file);
    sqlite.exec("UPDATE reports SET payload = x'ff00ff' WHERE id = 'm@7'");
    sqlite.close();
  });
  using spool = open();
  expect(spool.size).toBe(200);
  expect(waitingIn(spool)["m"]).toEqual(ids(0, 200).filter((id) => id !== "m@7"));
  expect([spool.size, spool.givenUp.unreadable]).toEqual([199, 1]);
  spool.save();
  expect(waitingIn(spool)["m"]).toHaveLength(199);
  expect(said()).toEqual(["a kept result was damaged and is dropped: check the disk"]);
});

test("a file that breaks while it is open: what it held is counted, what memory holds is kept in a new one", () => {
  const { file, open, said } = scene();
  const clean = open();
  fill(clean, 0, 8_000);
  clean[Symbol.dispose]();
  const spool = open();
  fill(spool, 8_000, 8_010);
  // Beneath SQLite's own cache, which holds what it has read; opening has read the start.
  overwrite(file, 8 * 4096, statSync(file).size - 8 * 4096);
  spool.oldestOf("m", 8_000);
  for (let tries = 0; tries < 3; tries += 1) spool.save();
  expect(spool.durable).toBe(true);
  expect(waitingIn(spool)["m"]?.slice(-10)).toEqual(ids(8_000, 8_010));
  expect(spool.size + spool.givenUp.unreadable).toBe(8_010);
  expect(said().some((message) => message.includes("damaged"))).toBe(true);
  spool[Symbol.dispose]();
});

describe("a second agent on the same file", () => {
  test("runs in memory, says so once, and takes the file over when the first has ended", async () => {
    const { file, open, clock, said } = scene();
    const first = startSpoolProcess(file);
    await first.tell("add 0 5");
    await first.tell("save");
    const second = open();
    expect(second.durable).toBe(false);
    fill(second, 100, 103);
    for (let seconds = 0; seconds < 25; seconds += 1) {
      await clock.advance(1_000);
      second.save();
    }
    expect(second.size).toBe(3);
    expect(said()).toEqual([
      "results are kept in memory only, for now: another agent uses the file: give each agent its own PICKET_STATE_DIR",
    ]);
    expect((await first.tell("waiting")).waiting).toEqual(ids(0, 5));
    await first.kill();
    await clock.advance(10_000);
    second.save();
    expect([second.durable, waitingIn(second)["m"]]).toEqual([
      true,
      [...ids(0, 5), ...ids(100, 103)],
    ]);
    expect(said().at(-1)).toBe("results are kept on disk again");
    second[Symbol.dispose]();
  });

  test("does not take away the lock of one in the same process", async () => {
    const { file, open } = scene();
    using first = open();
    using second = open();
    expect([first.durable, second.durable]).toEqual([true, false]);
    const third = startSpoolProcess(file);
    expect(await third.tell("save")).toMatchObject({ durable: false });
  });
});

test("a file that others could read is made private", () => {
  const { file, open } = scene();
  damaged(open, () => chmodSync(file, 0o644));
  using spool = open();
  expect([spool.durable, spool.size, statSync(file).mode & 0o777]).toEqual([true, 200, 0o600]);
});

test("kill -9 in the midst of saves, many times: what save() returned for is there", async () => {
  const { file, open } = scene();
  let next = 0;
  /** What a save returned for and no one settled. */
  const kept = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const driver = startSpoolProcess(file);
    const save = async (): Promise<void> => {
      const fresh = ids(next, (next += 20));
      void driver.tell(`add ${next - 20} ${next}`).catch(() => {});
      await driver.tell("save");
      for (const id of fresh) kept.add(id);
    };
    for (let saves = 0; saves < 10; saves += 1) await save();
    const settled = [...kept].slice(0, 40);
    for (const id of settled) kept.delete(id);
    await driver.tell(`settle ${settled.map((id) => id.slice(2)).join(" ")}`);
    // The kill falls somewhere into the saves that are told now, each time later.
    const told = Array.from({ length: 100 }, () => save().catch(() => {}));
    await told[3 * round];
    await driver.kill();
    await Promise.all(told);
    using spool = open();
    const waiting = new Set(waitingIn(spool)["m"]);
    expect([...kept].filter((id) => !waiting.has(id))).toEqual([]);
    expect([spool.durable, spool.size, spool.givenUp.unreadable]).toEqual([true, waiting.size, 0]);
    // A save is whole or not there at all.
    const pieces = Map.groupBy(waiting, (id) => Math.floor(Number(id.slice(2)) / 20));
    expect([...pieces.values()].filter(({ length }) => length !== 20)).toEqual([]);
    // A settled one may come back, and is sent again; so may one whose save no one heard of.
    for (const id of waiting) kept.add(id);
  }
});

describe.skipIf(!canMount())("a disk", () => {
  test("that is full: everything waits in memory, it is said once, and written when there is room", async () => {
    const { folder } = smallDisk("1m");
    const { open, clock, said } = scene(path.join(folder, "spool"));
    const ballast = path.join(folder, "ballast");
    {
      using spool = open();
      fill(spool, 0, 50);
      spool.save();
      try {
        writeFileSync(ballast, Buffer.alloc(1_048_576));
      } catch {
        // As much as fits.
      }
      fill(spool, 50, 500);
      for (let seconds = 0; seconds < 30; seconds += 1) {
        spool.save();
        await clock.advance(1_000);
      }
      expect([spool.durable, spool.size]).toEqual([false, 500]);
      expect(waitingIn(spool)["m"]).toEqual(ids(0, 500));
      expect(said()).toEqual([
        "results are kept in memory only, for now: the disk is full: make room on it",
      ]);
      rmSync(ballast);
      await clock.advance(10_000);
      spool.save();
      expect(spool.durable).toBe(true);
      expect(said().slice(1)).toEqual(["results are kept on disk again"]);
    }
    using again = open();
    expect(waitingIn(again)["m"]).toEqual(ids(0, 500));
    expect(again.givenUp).toEqual({ age: 0, room: 0, unreadable: 0 });
  });

  test("that the spool itself has filled: what the service takes makes room again", async () => {
    const { folder } = smallDisk("1m");
    const { open, clock, log } = scene(path.join(folder, "spool"));
    using spool = open();
    let next = 0;
    while (spool.durable && next < 5_000) {
      fill(spool, next, (next += 50));
      spool.save();
    }
    expect([spool.durable, spool.size]).toEqual([false, next]);
    expect(waitingIn(spool)["m"]).toEqual(ids(0, next));
    spool.settle(ids(0, next - 50));
    for (let tries = 0; tries < 2; tries += 1) {
      await clock.advance(10_000);
      spool.save();
    }
    expect([spool.durable, spool.size]).toEqual([true, 50]);
    expect(log.said.map(({ message }) => message)).toEqual([
      "results are kept in memory only, for now: the disk is full: make room on it",
      "results are kept on disk again",
    ]);
    expect(waitingIn(spool)["m"]).toEqual(ids(next - 50, next));
  });

  test("that is read-only from the start, and is not any more", async () => {
    const { folder, remount } = smallDisk("1m");
    const { file, open, clock, said } = scene(path.join(folder, "spool"));
    damaged(open, () => remount("ro"));
    using spool = open();
    fill(spool, 200, 210);
    spool.save();
    expect([spool.durable, spool.size]).toEqual([false, 10]);
    expect(said()).toEqual([
      "results are kept in memory only, for now: the file cannot be written: let this agent's user write to its folder",
    ]);
    expect(readdirSync(folder)).toEqual([path.basename(file)]);
    remount("rw");
    await clock.advance(10_000);
    spool.save();
    expect([spool.durable, waitingIn(spool)["m"]]).toEqual([true, ids(0, 210)]);
  });
});

test.skipIf(!isInstalled("strace"))(
  "a disk whose fsync fails: nothing is lost, it is said once, and written when it works",
  async () => {
    const { file, open } = scene();
    const driver = startSpoolProcess(file);
    await driver.tell("add 0 10");
    await driver.tell("save");
    const strace = spawn(
      "strace",
      [
        "-f",
        "-o",
        "/dev/null",
        "-p",
        String(driver.child.pid),
        "-e",
        "trace=fsync,fdatasync",
        "-e",
        "inject=fsync,fdatasync:error=EIO",
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    const detached = once(strace, "exit");
    await once(strace.stderr, "data");
    await driver.tell("add 10 20");
    const failing = await driver.tell("save");
    expect(failing).toMatchObject({ durable: false, size: 20 });
    expect(failing.said).toEqual([
      "results are kept in memory only, for now: the disk fails: see the kernel's log",
    ]);
    await driver.tell("settle 0 1 2 3 4");
    await driver.tell("pass 10000");
    expect((await driver.tell("save")).said).toEqual(failing.said);
    expect((await driver.tell("waiting")).waiting).toEqual(ids(5, 20));
    strace.kill("SIGTERM");
    await detached;
    await driver.tell("pass 10000");
    const works = await driver.tell("save");
    expect(works).toMatchObject({ durable: true, size: 15 });
    expect(works.said.slice(1)).toEqual(["results are kept on disk again"]);
    await driver.kill();
    using again = open();
    expect(waitingIn(again)["m"]).toEqual(ids(5, 20));
  },
);
