import { expect, test } from "vitest";
import { hours, minutes } from "#base/units";
import * as limits from "#limits/sign-in-limits";
import { auditEntriesMax } from "#limits/store-limits";
import { type SessionActor, SessionEntries } from "#service/people/session-entries";
import type { SessionEvent } from "#service/store/audit/session-event";
import { FakeClock } from "../../support/fake-clock.ts";

const ci: SessionActor = { kind: "key", name: "1 (ci)", from: "203.0.113.7" };
const ann: SessionActor = { kind: "person", name: "Ann", from: "192.0.2.1" };
const signIn = (by = "API key"): SessionEvent => ({
  deed: "signed in",
  who: "key 1",
  name: "ci",
  facts: { by },
});
const ending = (who: string, sessions: number): SessionEvent => ({
  deed: "ended",
  who,
  name: who,
  facts: { sessions: String(sessions) },
});
const atOnce = limits.sessionEntriesAtOnce;
const period = limits.sessionsCountedFor;

function scene() {
  const clock = new FakeClock();
  const written: string[] = [];
  const write = async ({ deed, name, facts }: SessionEvent, { from }: SessionActor) => {
    const { by = "", times = "", sessions = "" } = facts;
    written.push([name, deed, by, times || sessions || "1", from].join(" "));
  };
  const entries = new SessionEntries(clock, write);
  const stop = new AbortController();
  const running = entries.run(stop.signal);
  const happens = async (event: SessionEvent, actor: SessionActor): Promise<void> => {
    if (await entries.take(actor)) await write(event, actor);
    else await entries.count(event, actor);
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  return { clock, written, entries, happens, end };
}

test("the first sign-ins of a key have an entry each, and those after them one together", async () => {
  const { clock, written, happens, end } = scene();
  for (let at = 0; at < atOnce + 57; at += 1) await happens(signIn(), ci);
  await happens({ ...signIn("password"), who: "account 2", name: "Ann" }, ann);
  expect(written.splice(0)).toEqual([
    ...Array<string>(atOnce).fill("ci signed in API key 1 203.0.113.7"),
    "Ann signed in password 1 192.0.2.1",
  ]);
  await clock.advance(period);
  expect(written.splice(0)).toEqual(["ci signed in API key 57 203.0.113.7"]);
  await happens(signIn(), ci);
  await end();
  expect(written).toEqual(["ci signed in API key 1 203.0.113.7"]);
});

test("what happens at several networks, and of several kinds, is counted apart, up to a number", async () => {
  const { written, happens, end } = scene();
  for (let at = 0; at < atOnce; at += 1) await happens(signIn(), ci);
  written.splice(0);
  await happens(signIn(), { ...ci, from: "2001:db8::1" });
  await happens(signIn(), { ...ci, from: "2001:db8::2" });
  await happens({ ...signIn(), deed: "signed out", facts: {} }, ci);
  await happens(ending("account 3", 2), ci);
  await happens(ending("account 3", 5), ci);
  for (let at = 0; at < 20; at += 1) await happens(signIn(), { ...ci, from: `192.0.2.${at}` });
  await happens(ending("account 4", 3), ci);
  await end();
  expect(written.slice(0, 3)).toEqual([
    "ci signed in API key 2 2001:db8::1",
    "ci signed out  1 203.0.113.7",
    "account 3 ended  7 203.0.113.7",
  ]);
  expect(written.slice(-2)).toEqual(["ci signed in  13 ", "several people ended  3 "]);
  expect(written).toHaveLength(limits.sessionCountsMax + 2);
});

test("an entry that was not needed is given back, and an actor who is quiet has all of them again", async () => {
  const { clock, written, entries, happens, end } = scene();
  for (let at = 0; at < 100; at += 1) {
    expect(await entries.take(ci)).toBe(true);
    entries.giveBack(ci);
  }
  for (let at = 0; at < atOnce; at += 1) await happens(signIn(), ci);
  for (let at = 0; at < atOnce; at += 1) await clock.advance(period);
  for (let at = 0; at < atOnce; at += 1) await happens(signIn(), ci);
  await end();
  expect(written).toHaveLength(2 * atOnce);
});

test("three keys in loops by way of three replicas, in addition to strangers, leave a year in the log", async () => {
  const { clock, written, happens, end } = scene();
  const day = hours(24);
  const tries = 5;
  for (let at = 0; at < day; at += minutes(1)) {
    for (let one = 0; one < tries; one += 1)
      await happens(signIn(), { ...ci, from: `10.0.0.${one}` });
    await clock.advance(minutes(1));
  }
  await end();
  const strangers =
    limits.refusedSignInEntriesPerCount * (day / limits.refusedSignInsCountedFor) +
    day / limits.refusedSignInsCountedFor;
  const looped = (written.length - atOnce) * 3 * 3;
  const resets = day / limits.passwordResetEvery;
  expect((looped + strangers + resets) * 365).toBeLessThan(auditEntriesMax);
  const all = written.map((line) => Number(/ (\d+) [\d.]*$/.exec(line)?.[1]));
  expect(all.reduce((sum, one) => sum + one, 0)).toBe((day / minutes(1)) * tries);
});

test("of more actors than are counted at a time the first starts empty, and what was counted of it is written", async () => {
  const { written, happens, end } = scene();
  for (let at = 0; at < atOnce + 3; at += 1) await happens(signIn(), ci);
  written.splice(0);
  for (let at = 0; at < limits.sessionActorsMax; at += 1)
    await happens(signIn(), { ...ann, name: `person ${at}` });
  expect(written.filter((line) => line.startsWith("ci signed in API key 3"))).toHaveLength(1);
  await end();
});
