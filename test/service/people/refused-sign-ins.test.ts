import { expect, test } from "vitest";
import { hours } from "#base/units";
import * as limits from "#limits/sign-in-limits";
import { auditEntriesMax } from "#limits/store-limits";
import { type RefusedSignIn, RefusedSignIns } from "#service/people/refused-sign-ins";
import { FakeClock } from "../../support/fake-clock.ts";

const vera = { who: "account 3", name: "Vera" };
const tryOf = (other: Partial<RefusedSignIn> = {}): RefusedSignIn => ({
  by: "password",
  from: "203.0.113.7",
  typed: "vera@example.com",
  person: vera,
  ...other,
});
const count = limits.refusedSignInsCountedFor;

function scene() {
  const clock = new FakeClock();
  const written: string[] = [];
  const refused = new RefusedSignIns(clock, async ({ name, facts }, from) => {
    written.push([name, facts["by"] ?? "", facts["times"], from].join(" "));
  });
  const stop = new AbortController();
  const running = refused.run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  return { clock, written, refused, end };
}

test("the first of a name and an address is written at once, and all others of the next time in one entry", async () => {
  const { clock, written, refused, end } = scene();
  for (let at = 0; at < 30; at += 1) await refused.add(tryOf());
  await refused.add(tryOf({ from: "192.0.2.1" }));
  await refused.add(tryOf({ typed: "hunter2", person: null }));
  expect(written.splice(0)).toEqual([
    "Vera password 1 203.0.113.7",
    "Vera password 1 192.0.2.1",
    "an unknown name password 1 203.0.113.7",
  ]);
  await clock.advance(count);
  expect(written.splice(0)).toEqual(["Vera password 29 203.0.113.7"]);
  await clock.advance(count);
  await refused.add(tryOf());
  await refused.add(tryOf());
  expect(written.splice(0)).toEqual(["Vera password 1 203.0.113.7"]);
  await end();
  expect(written).toEqual(["Vera password 1 203.0.113.7"]);
});

test("strangers with many names at many addresses do not fill the log in a year", async () => {
  const { clock, written, refused, end } = scene();
  const day = hours(24);
  for (let at = 0; at < day; at += count) {
    for (let one = 0; one < 20; one += 1)
      await refused.add(tryOf({ from: `10.0.${at % 250}.${one}`, typed: `${at} ${one}` }));
    await clock.advance(count);
  }
  await end();
  expect(written.length * 365).toBeLessThan(auditEntriesMax);
  const all = written.map((line) => Number(/ (\d+) [\d.]*$/.exec(line)?.[1]));
  expect(all.reduce((sum, one) => sum + one, 0)).toBe((day / count) * 20);
  expect(written.some((line) => line.startsWith("several names"))).toBe(true);
});

test("one that is refused while entries are written is counted with those after it, as every other", async () => {
  const clock = new FakeClock();
  const written: string[] = [];
  const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const refused = new RefusedSignIns(clock, async ({ name, facts }) => {
    if (facts["times"] === "2") {
      begun.resolve();
      await done.promise;
    }
    written.push(`${name} ${facts["times"] ?? ""}`);
  });
  const stop = new AbortController();
  const running = refused.run(stop.signal);
  for (let at = 0; at < 3; at += 1) await refused.add(tryOf());
  await clock.advance(count);
  await begun.promise;
  const ann = tryOf({ typed: "ann@example.com", person: { who: "account 4", name: "Ann" } });
  await refused.add(ann);
  done.resolve();
  await clock.advance(0);
  for (let at = 0; at < 3; at += 1) await refused.add(ann);
  await clock.advance(count);
  stop.abort();
  await running;
  expect(written).toEqual(["Vera 1", "Ann 1", "Vera 2", "Ann 3"]);
});
