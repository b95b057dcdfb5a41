import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { auditMemory } from "#agent/state/audit-file";
import { openStateDirectory } from "#agent/state/state-directory";
import { silentLogger } from "#base/log";
import { epochMillis } from "#base/units";
import { chainAfter, hashOfText } from "#machine/hash-chain";
import { main } from "../../../src/main.ts";
import { captureIo } from "../../support/captured-io.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { seenService } from "../../support/seen-service.ts";

interface Exported {
  readonly number: number;
  readonly hash: string;
  readonly chain: string;
}

/** A log as it is exported. */
function logOf(count: number, told = (number: number): string => `entry ${number}`): string[] {
  const lines: string[] = [];
  let [previous, chain] = ["", ""];
  for (let number = 1; number <= count; number += 1) {
    const line = JSON.stringify({ number, who: told(number), previous });
    previous = hashOfText(line);
    chain = chainAfter(chain, previous);
    lines.push(`${line.slice(0, -1)},"hash":"${previous}","chain":"${chain}"}`);
  }
  return lines;
}

async function verified(lines: readonly string[], ...options: readonly string[]) {
  const io = captureIo();
  const file = path.join(temporaryFolder(), "log.jsonl");
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  const code = await main(["audit", "verify", file, ...options], io);
  return { code, out: io.written.stdout(), said: io.written.stderr().replace(file, "FILE") };
}

const headOf = (lines: readonly string[], at: number): string => {
  const { number, chain }: Exported = JSON.parse(lines.at(at) ?? "");
  return `${number}:${chain}`;
};

describe("picket audit verify", () => {
  const log = logOf(6);
  test("says that a whole log is whole, and its head; also of a part, and of a file that is typed", async () => {
    expect(await verified(log)).toEqual({
      code: 0,
      out: `Entries 1 to 6 are whole and in order.\nHead: ${headOf(log, -1)}\n`,
      said: "",
    });
    expect((await verified(log.slice(2))).out).toContain("Entries 3 to 6 are whole");
    expect((await verified(log, "--head", headOf(log, 3))).code).toBe(0);
    const io = captureIo();
    io.typing.end(log.join("\n"));
    expect(await main(["audit", "verify", "-"], io)).toBe(0);
  });

  const changed = log.map((line) => line.replace("entry 4", "another"));
  const forged = logOf(6, (number) => (number === 3 ? "another" : `entry ${number}`));
  test.each<[how: string, lines: readonly string[], said: string]>([
    [
      "changed",
      changed,
      "line 4 of FILE: entry 4 was changed: its hash is not that of what it says",
    ],
    ["missing", log.toSpliced(2, 1), "line 3 of FILE: entry 3 is missing"],
    ["missing, several", log.toSpliced(2, 2), "line 3 of FILE: entries 3 to 4 are missing"],
    [
      "in another order",
      [...log.slice(0, 2), ...[log[3], log[2]].flatMap((one) => one ?? []), ...log.slice(4)],
      "line 3 of FILE: entry 3 is missing",
    ],
    [
      "repeated",
      [...log.slice(0, 4), ...log.slice(2)],
      "line 5 of FILE: entry 3 comes after entry 4: entries were put into another order, or repeated",
    ],
    [
      "replaced",
      [...log.slice(0, 2), ...forged.slice(2, 3), ...log.slice(3)],
      "line 4 of FILE: entry 4 does not follow entry 3: one of the two was replaced",
    ],
    [
      "given another head",
      log.map((line, at) => (at === 4 ? line.replace(/"chain":"./, '"chain":"?') : line)),
      "line 5 of FILE: the head of the chain at entry 5 is not that of the hashes before it",
    ],
    ["no entry", ["{}"], "line 1 of FILE: it is not an entry of the audit log"],
    ["empty", [], "there is no entry in it"],
  ])("names the first entry that is %s", async (_how, lines, said) => {
    expect(await verified(lines)).toEqual({ code: 1, out: "", said: `picket audit: ${said}\n` });
  });

  test("compares a log with what an agent knows: one that was shortened or forged is not it", async () => {
    expect((await verified(log.slice(0, 4), "--head", headOf(log, -1))).said).toContain(
      "entry 6, which an agent knows, is not in it: it has 1 to 4",
    );
    expect((await verified(forged, "--head", headOf(log, -1))).said).toContain(
      "the log up to entry 6 is not the one that the agent knows",
    );
  });

  test.each([
    [["audit"], "audit takes export, verify FILE or accept"],
    [["audit", "verify"], "audit verify takes a FILE"],
    [["audit", "verify", "a", "--head", "6"], "--head must be NUMBER:HEAD"],
    [["audit", "verify", "a", "--after", "6"], "--after is for audit export"],
    [["audit", "export", "--after", "x"], "--after must be the number of an entry"],
    [["audit", "accept", "--head", "x"], "--head is for audit verify"],
  ])("%j is wrong usage", async (args, sentence) => {
    const io = captureIo();
    expect(await main(args, io)).toBe(64);
    expect(io.written.stderr()).toContain(sentence);
  });
});

test("picket audit export prints the whole log of a service, which is whole, or what is new of it", async () => {
  await using seen = await seenService();
  const whole = await seen.run(["audit", "export"]);
  const lines = whole.out.trimEnd().split("\n");
  const { number }: Exported = JSON.parse(lines.at(-1) ?? "");
  expect(number).toBe(lines.length);
  expect((await verified(lines)).out).toContain(`Head: ${headOf(lines, -1)}`);
  const some = await seen.run(["audit", "export", "--after", String(number - 2)]);
  expect(some.out.trimEnd().split("\n")).toEqual(lines.slice(-2));
});

describe("picket audit accept", () => {
  test("leaves word for each agent of the directory that has a log to compare with", async () => {
    const folder = temporaryFolder();
    using state = openStateDirectory(folder, silentLogger);
    const memory = auditMemory(state, "https://service.test");
    const fault = { sentence: "the log is shorter", at: epochMillis(1) };
    memory.save({ head: { number: 9, chain: "c" }, fault });
    const io = captureIo({ PICKET_STATE_DIR: folder });
    expect(await main(["audit", "accept"], io)).toBe(0);
    expect(io.written.stdout()).toBe(
      "Accepted. The agent knew the audit log up to entry 9; the log is shorter.\n" +
        "It takes the log as the service shows it at its next heartbeat.\n",
    );
    expect([memory.takeAcceptance(), memory.takeAcceptance()]).toEqual([true, false]);
  });

  test("says which setting is missing if there is nothing", async () => {
    const io = captureIo({ PICKET_STATE_DIR: temporaryFolder() });
    expect(await main(["audit", "accept"], io)).toBe(1);
    expect(io.written.stderr()).toContain("run this with the agent's PICKET_STATE_DIR");
  });
});
