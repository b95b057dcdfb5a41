import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { renewSecrets, SecretWatch } from "#agent/secrets/secret-watch";
import { sourcesOf } from "#agent/secrets/read-secrets";
import { secretsLookEvery } from "#limits/secrets-limits";
import { FakeClock } from "../../support/fake-clock.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { memoryLog } from "../../support/twins.ts";

function scene() {
  const folder = path.join(temporaryFolder(), "secrets");
  mkdirSync(folder);
  const log = memoryLog();
  const clock = new FakeClock();
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  write("api", "first-value");
  const watch = new SecretWatch(sourcesOf({ PICKET_SECRETS_DIR: folder }), log);
  const seen: (string | undefined)[] = [];
  const renewal = renewSecrets(watch, clock, [
    { useSecrets: (table) => void seen.push(table?.secrets.get("api")?.value) },
  ]);
  return { folder, log, clock, write, watch, seen, renewal };
}

test("a secret that is changed, added or removed counts within seconds, without a restart", async () => {
  const { clock, write, watch, seen, folder, renewal } = scene();
  await using _ = renewal;
  expect(watch.table?.secrets.get("api")?.value).toBe("first-value");
  await clock.advance(secretsLookEvery);
  expect(seen).toEqual([]);
  write("api", "second-value");
  await clock.advance(secretsLookEvery);
  write("other", "other-value");
  await clock.advance(secretsLookEvery);
  rmSync(path.join(folder, "api"));
  await clock.advance(secretsLookEvery);
  expect(seen).toEqual(["second-value", "second-value", undefined]);
  expect([...(watch.table?.secrets.keys() ?? [])]).toEqual(["other"]);
});

test("a mount that Kubernetes renews by turning one link is seen", async () => {
  const { clock, folder, seen, renewal } = scene();
  await using _ = renewal;
  const at = (name: string): string => path.join(folder, name);
  for (const [name, value] of [
    ["..1", "mounted-first"],
    ["..2", "mounted-second"],
  ] as const) {
    mkdirSync(at(name));
    writeFileSync(path.join(at(name), "api"), value);
  }
  rmSync(at("api"));
  symlinkSync("..1", at("..data"));
  symlinkSync("..data/api", at("api"));
  await clock.advance(secretsLookEvery);
  symlinkSync("..2", at("..data_tmp"));
  renameSync(at("..data_tmp"), at("..data"));
  await clock.advance(secretsLookEvery);
  expect(seen).toEqual(["mounted-first", "mounted-second"]);
});

test("a folder that vanishes takes no secret away, and is logged once", async () => {
  const { clock, folder, watch, log, renewal } = scene();
  await using _ = renewal;
  rmSync(folder, { recursive: true });
  await clock.advance(secretsLookEvery);
  await clock.advance(secretsLookEvery);
  expect(watch.table?.secrets.get("api")?.value).toBe("first-value");
  const lines = log.said.filter(({ message }) => message.startsWith("secrets cannot be read"));
  expect(lines).toHaveLength(1);
});

test("a file of secrets that could not be read is read again although it did not change", () => {
  const title = process.title;
  onTestFinished(() => void (process.title = title));
  const file = path.join(temporaryFolder(), "secrets");
  writeFileSync(file, "api=first-value");
  const log = memoryLog();
  const watch = new SecretWatch(sourcesOf({ PICKET_SECRETS_FILE: file }), log);
  rmSync(file);
  process.title = "no-line";
  // What it holds changes, and what the system says of the file does not.
  symlinkSync("/proc/self/comm", file);
  expect([watch.look(), watch.look()]).toEqual([false, false]);
  process.title = "api=second";
  expect(watch.look()).toBe(true);
  expect(watch.table?.secrets.get("api")?.value).toBe("second");
  expect(watch.look()).toBe(false);
  expect(log.said.filter(({ level }) => level === "warn")).toHaveLength(1);
});

test("a secret that cannot be used is logged with the reason and without its value", async () => {
  const { clock, write, log, renewal } = scene();
  await using _ = renewal;
  write("api", "x\0yzzyxy");
  await clock.advance(secretsLookEvery);
  const text = JSON.stringify(log.said);
  expect(text).toContain("it holds a NUL character");
  expect(text).not.toContain("yzzy");
});
