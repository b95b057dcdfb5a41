import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#agent/settings/config";
import { TargetWatch } from "#agent/settings/target-watch";
import { targetFileBytesMax, targetFilesLookEvery } from "#limits/probes-limits";
import type { TargetRules } from "#network/target-rules";
import { FakeClock } from "../../support/fake-clock.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { memoryLog } from "../../support/twins.ts";

const entriesOf = ({ allow, deny }: TargetRules): string =>
  [allow, deny].map((rules) => rules.map(({ entry }) => entry).join(" ")).join(" | ");

function reading(env: Record<string, string>) {
  return readConfig({ PICKET_TOKEN: "t", PICKET_STATE_DIR: temporaryFolder(), ...env });
}

/** An agent's rules from two files, which are looked at again as time passes. */
function scene(folder = temporaryFolder()) {
  const at = (name: string): string => path.join(folder, name);
  /** As an operator should: written elsewhere, then renamed. */
  const replace = (name: string, text: string): void => {
    writeFileSync(at("new"), text);
    renameSync(at("new"), at(name));
  };
  replace(
    "allow",
    "# what the shop needs\n10.20.0.0/16\n*.shop.test:443 tcp://db.shop.test:5432\n",
  );
  replace("deny", "0.0.0.0/0\n::/0\n");
  const config = reading({
    PICKET_TARGET_DENY: "169.254.0.0/16",
    PICKET_TARGET_ALLOW_FILE: at("allow"),
    PICKET_TARGET_DENY_FILE: at("deny"),
  });
  if (!config.ok) throw new Error(config.errors.join("\n"));
  const { targetLists, probing } = config.config;
  const [clock, log] = [new FakeClock(), memoryLog()];
  const watch = new TargetWatch(targetLists, probing.targetRules, log);
  const seen: string[] = [];
  watch.renew(clock, [{ useTargets: (rules) => void seen.push(entriesOf(rules)) }]);
  return { at, replace, clock, log, watch, seen, renewal: watch };
}

test("entries of the variables and of the files count together, with comments left out", async () => {
  const { watch, seen, clock, renewal } = scene();
  await using _ = renewal;
  expect(entriesOf(watch.rules)).toBe(
    "10.20.0.0/16 *.shop.test:443 tcp://db.shop.test:5432 | 169.254.0.0/16 0.0.0.0/0 ::/0",
  );
  await clock.advance(targetFilesLookEvery);
  expect(seen).toEqual([]);
});

test("a file that is replaced counts within seconds, without a restart", async () => {
  const { watch, seen, clock, renewal, replace, log } = scene();
  await using _ = renewal;
  replace("allow", "10.30.0.0/16");
  await clock.advance(targetFilesLookEvery);
  expect(seen).toEqual(["10.30.0.0/16 | 169.254.0.0/16 0.0.0.0/0 ::/0"]);
  expect(watch.fault).toBeNull();
  expect(log.said.map(({ message }) => message)).toEqual(["the target rules were read again"]);
});

test("a mount that Kubernetes renews by turning one link is seen as a whole", async () => {
  const folder = temporaryFolder();
  const at = (name: string): string => path.join(folder, name);
  for (const [version, allow] of [
    ["..1", "10.1.0.0/16"],
    ["..2", "10.2.0.0/16"],
  ] as const) {
    mkdirSync(at(version));
    writeFileSync(path.join(at(version), "allow"), allow);
    writeFileSync(path.join(at(version), "deny"), "0.0.0.0/0");
  }
  const { seen, clock, renewal } = scene(folder);
  await using _ = renewal;
  for (const name of ["allow", "deny"]) {
    rmSync(at(name));
    symlinkSync(`..data/${name}`, at(name));
  }
  symlinkSync("..1", at("..data"));
  await clock.advance(targetFilesLookEvery);
  symlinkSync("..2", at("..tmp"));
  renameSync(at("..tmp"), at("..data"));
  await clock.advance(targetFilesLookEvery);
  expect(seen).toEqual([
    "10.1.0.0/16 | 169.254.0.0/16 0.0.0.0/0",
    "10.2.0.0/16 | 169.254.0.0/16 0.0.0.0/0",
  ]);
});

test.each([
  [
    "an entry that is no rule",
    (file: string) => writeFileSync(file, "10.0.0.0/99"),
    /has the entry "10.0.0.0\/99"/,
  ],
  ["a file that was cut off", (file: string) => writeFileSync(file, ""), /has no entry/],
  ["a file that is gone", (file: string) => rmSync(file), /cannot be read: ENOENT/],
  [
    "a megabyte",
    (file: string) => writeFileSync(file, "a".repeat(targetFileBytesMax + 1)),
    /is larger than 256 KiB/,
  ],
  ["a NUL", (file: string) => writeFileSync(file, "10.0.0.0/8\0"), /holds a NUL/],
  ["a directory", (file: string) => (rmSync(file), mkdirSync(file)), /EISDIR/],
] as const)("%s keeps the rules from before, and says so", async (_name, breakIt, why) => {
  const { watch, seen, clock, renewal, at, replace, log } = scene();
  await using _ = renewal;
  await clock.advance(targetFilesLookEvery);
  const before = entriesOf(watch.rules);
  breakIt(at("deny"));
  await clock.advance(targetFilesLookEvery);
  expect(seen).toEqual([]);
  expect(entriesOf(watch.rules)).toBe(before);
  expect(watch.fault).toMatch(why);
  expect(log.said).toMatchObject([
    { message: "the target rules cannot be read again: the rules from before stay in force" },
  ]);
  rmSync(at("deny"), { recursive: true, force: true });
  replace("deny", "0.0.0.0/0 ::/0");
  await clock.advance(targetFilesLookEvery);
  expect(watch.fault).toBeNull();
  expect(seen).toEqual([]);
});

test("a file that could not be read is read again although it did not change", async () => {
  const { watch, seen, clock, renewal, at, log } = scene();
  await using _ = renewal;
  const title = process.title;
  onTestFinished(() => void (process.title = title));
  await clock.advance(targetFilesLookEvery);
  rmSync(at("deny"));
  process.title = "10.0.0.0/99";
  // What it holds changes, and what the system says of the file does not.
  symlinkSync("/proc/self/comm", at("deny"));
  await clock.advance(targetFilesLookEvery);
  await clock.advance(targetFilesLookEvery);
  expect(watch.fault).toMatch(/has the entry/);
  process.title = "10.0.0.0/8";
  await clock.advance(targetFilesLookEvery);
  expect(watch.fault).toBeNull();
  expect(seen).toHaveLength(1);
  expect(entriesOf(watch.rules)).toMatch(/10\.0\.0\.0\/8$/);
  expect(log.said.map(({ message }) => message)).toEqual([
    "the target rules cannot be read again: the rules from before stay in force",
    "the target rules were read again",
  ]);
});

test("an agent does not start with a file that it cannot use", () => {
  const file = path.join(temporaryFolder(), "deny");
  const errorsOf = (): readonly string[] => {
    const read = reading({ PICKET_TARGET_DENY_FILE: file });
    return read.ok ? [] : read.errors;
  };
  expect(errorsOf()).toEqual([`PICKET_TARGET_DENY_FILE cannot be read: ENOENT (${file})`]);
  writeFileSync(file, "# nothing\n");
  expect(errorsOf()).toEqual([`PICKET_TARGET_DENY_FILE has no entry (${file})`]);
  writeFileSync(file, "::/0");
  chmodSync(file, 0);
  if (process.getuid?.() !== 0)
    expect(errorsOf()).toEqual([`PICKET_TARGET_DENY_FILE cannot be read: EACCES (${file})`]);
});
