import { describe, expect, test } from "vitest";
import { closedAsDeleted, stepIncident } from "#service/alerting/incident-machine";
import { downFor, downSince, downSpans, shownDownFor } from "#service/alerting/down-spans";
import { after, epochMillis, minutes, seconds } from "#base/units";
import { clock, later, Rounds, round } from "./rounds.ts";

/** The cases of docs/alerting.md: a period of 30 s, half of the locations, and the defaults. */
describe("an incident", () => {
  test("opens with one error of the only location, dated by the check that failed", () => {
    const rounds = new Rounds();
    expect(rounds.play({ A: "sse" })).toEqual(["opened"]);
    expect(rounds.incident).toMatchObject({ severity: "error", startedAt: round(2), ended: null });
  });
  test("does not open while one of three sees an error", () => {
    expect(new Rounds().play({ A: "seeee", B: "sssss", C: "sssss" })).toEqual([]);
  });
  test("opens when two of three see an error, dated by the second", () => {
    const rounds = new Rounds();
    expect(rounds.play({ A: "seee", B: "sses", C: "ssss" })).toEqual(["opened"]);
    expect(rounds.incident).toMatchObject({ severity: "error", startedAt: round(2) });
  });
  test("is a degraded one when one sees an error and another is slow for long enough", () => {
    const rounds = new Rounds();
    expect(rounds.play({ A: "eee", B: "ddd", C: "sss" })).toEqual(["opened"]);
    expect(rounds.incident?.severity).toBe("degraded");
  });
  test("opens by the one location that reports", () => {
    const rounds = new Rounds();
    rounds.play({ A: "s", B: "s", C: "s" });
    rounds.silence("B");
    rounds.silence("C");
    expect(rounds.play({ A: "e" }, 1)).toEqual(["opened"]);
  });
  test("does not open while all are silent", () => {
    const rounds = new Rounds();
    rounds.play({ A: "ss", B: "ss" });
    rounds.silence("A");
    rounds.silence("B");
    expect(rounds.look(round(9))).toEqual([]);
    expect(rounds.incident).toBeNull();
  });
  test("stays open without data, says since which check and only once, and closes by fresh checks alone", () => {
    const rounds = new Rounds();
    rounds.play({ A: "se", B: "se", C: "ss" });
    rounds.silence("A");
    rounds.silence("B");
    rounds.silence("C");
    expect(rounds.look(round(4))).toEqual(["no_data"]);
    expect(rounds.look(round(400))).toEqual([]);
    expect(rounds.incident).toMatchObject({ ended: null, noDataSince: round(1) });
    // What came late was known later than that, though it is too old to say anything of now.
    rounds.result("A", 3, "e");
    expect(rounds.look(round(401))).toEqual([]);
    expect(rounds.incident).toMatchObject({ ended: null, noDataSince: round(3) });
    rounds.hear("A");
    rounds.hear("B");
    expect(rounds.play({ A: "ss", B: "ss" }, 402)).toEqual(["data_again", "closed"]);
  });
  test("without data has it end neither before it began nor after now, and now if nothing says when", () => {
    const dates = [round(0), round(9), null].map((lastKnownAt) => {
      const rounds = new Rounds();
      rounds.play({ A: "se" });
      rounds.silence("A");
      rounds.look(round(4), { lastKnownAt });
      return rounds.incident?.noDataSince;
    });
    expect(dates).toEqual([round(1), round(4), round(4)]);
  });
  test("does not open by being slow now and then", () => {
    expect(new Rounds().play({ A: "dsdsdds" })).toEqual([]);
  });
  test("opens as degraded after three in a row", () => {
    const rounds = new Rounds();
    expect(rounds.play({ A: "sddd" })).toEqual(["opened"]);
    expect(rounds.incident).toMatchObject({ severity: "degraded", startedAt: round(1) });
  });
  test("ends with the second good check, dated by the first", () => {
    const rounds = new Rounds();
    expect(rounds.play({ A: "sess" })).toEqual(["opened", "closed"]);
    expect(rounds.incident?.ended).toEqual({ at: round(2), because: "recovered" });
  });
  test("is one that never closed over a single good check", () => {
    const rounds = new Rounds();
    expect(rounds.play({ A: "sesesse" })).toEqual(["opened", "closed", "reopened"]);
    expect(rounds.play({ A: "sese" }, 7)).toEqual([]);
  });
  test("changes its severity with one event each way, and is the same", () => {
    const rounds = new Rounds();
    expect(rounds.play({ A: "dddeedd" })).toEqual(["opened", "worsened", "eased"]);
    expect(rounds.play({ A: "ss" }, 7)).toEqual(["closed"]);
    expect(rounds.incidents).toHaveLength(1);
    expect(rounds.incident?.worst).toBe("error");
  });
  test("waits for as many failures as its policy asks, and a slow check between starts again", () => {
    const rounds = new Rounds({ failures: 3, degraded: 10 });
    expect(rounds.play({ A: "seedeeseee" })).toEqual(["opened"]);
    expect(rounds.incident?.openedAt).toBe(round(9) + seconds(2));
  });
  test("takes a quorum by number, of those that report", () => {
    const rounds = new Rounds({ quorum: { of: "count", locations: 3 } });
    expect(rounds.play({ A: "see", B: "see", C: "sse", D: "sss" })).toEqual(["opened"]);
    const few = new Rounds({ quorum: { of: "count", locations: 3 } });
    expect(few.play({ A: "se", B: "se" })).toEqual(["opened"]);
  });
});

describe("results that come late", () => {
  test("open nothing when the present is good: only history shows what was", () => {
    const rounds = new Rounds();
    rounds.play({ A: "ssss" });
    rounds.silence("A");
    rounds.look(clock("14:20:00"));
    rounds.hear("A");
    // The live one first, as agents send them, then the backlog.
    rounds.result("A", 62, "s");
    expect(rounds.look(clock("14:31:02"))).toEqual([]);
    for (let slot = 4; slot < 40; slot += 1) {
      rounds.result("A", slot, "e");
      expect(rounds.look(clock("14:31:04"))).toEqual([]);
    }
    for (let slot = 40; slot < 62; slot += 1) rounds.result("A", slot, "s");
    expect(rounds.look(clock("14:31:05"))).toEqual([]);
    expect(rounds.incidents).toEqual([]);
  });
  test("open nothing when they come in the order in which they happened", () => {
    const rounds = new Rounds();
    for (let slot = 4; slot < 40; slot += 1) {
      rounds.result("A", slot, "e");
      expect(rounds.look(clock("14:31:04"))).toEqual([]);
    }
  });
  test("date an incident that lasts back to its first failure", () => {
    const rounds = new Rounds();
    rounds.play({ A: "ssss" });
    rounds.result("A", 62, "e");
    expect(rounds.look(clock("14:31:02"))).toEqual(["opened"]);
    for (let slot = 4; slot < 62; slot += 1) rounds.result("A", slot, "e");
    expect(rounds.look(clock("14:31:20"))).toEqual([]);
    expect(rounds.incident?.startedAt).toBe(clock("14:02:00"));
  });
});

describe("a monitor under maintenance", () => {
  test("opens nothing meanwhile, and at once when it fails still at the end", () => {
    const rounds = new Rounds();
    rounds.play({ A: "s" });
    for (let slot = 1; slot < 20; slot += 1) {
      rounds.result("A", slot, "e");
      expect(rounds.look(epochMillis(round(slot) + 1), { isMaintained: true })).toEqual([]);
    }
    expect(rounds.look(epochMillis(round(19) + 2_000))).toEqual(["opened"]);
    expect(rounds.incident?.startedAt).toBe(round(1));
  });
  test("closes what was open before when it recovers", () => {
    const rounds = new Rounds();
    rounds.play({ A: "e" });
    rounds.result("A", 1, "s");
    rounds.result("A", 2, "s");
    expect(rounds.look(round(2), { isMaintained: true })).toEqual(["closed"]);
  });
});

describe("an acknowledged incident", () => {
  const acknowledged = (rounds: Rounds) => {
    const { severity } = rounds.incident!;
    rounds.incident = { ...rounds.incident!, acknowledged: { at: round(1), by: "ann", severity } };
  };
  test("stays so until it is worse than it was then, also when it fails again", () => {
    const rounds = new Rounds();
    rounds.play({ A: "e" });
    acknowledged(rounds);
    expect(rounds.play({ A: "ddd" }, 1)).toEqual(["eased"]);
    expect(rounds.play({ A: "e" }, 4)).toEqual(["worsened"]);
    expect(rounds.incident?.acknowledged).toMatchObject({ by: "ann", severity: "error" });
  });
  test("is so no more once it fails, if it was slow then", () => {
    const rounds = new Rounds();
    rounds.play({ A: "ddd" });
    acknowledged(rounds);
    expect(rounds.play({ A: "e" }, 3)).toEqual(["worsened"]);
    expect(rounds.incident?.acknowledged).toBeNull();
  });
  test("stays so when single checks pass so often that it flaps, and is so no more when it opens again", () => {
    const rounds = new Rounds();
    rounds.play({ A: "e" });
    acknowledged(rounds);
    expect(rounds.play({ A: "sesesese" }, 1)).toEqual(["flapping"]);
    expect(rounds.incident?.acknowledged).toMatchObject({ by: "ann" });
    const other = new Rounds();
    other.play({ A: "e" });
    acknowledged(other);
    expect(other.play({ A: "sse" }, 1)).toEqual(["closed", "reopened"]);
    expect(other.incident?.acknowledged).toBeNull();
  });
});

describe("a monitor that is no longer watched", () => {
  test("keeps its incident open for a short while, then closes it, dated by the pause", () => {
    const rounds = new Rounds();
    rounds.play({ A: "e" });
    const paused = epochMillis(round(0) + seconds(9));
    const step = stepIncident(subject, rounds.incident, { ...unwatched, now: paused });
    expect(step).toMatchObject({ events: [], againAt: after(paused, seconds(30)) });
    expect(rounds.look(paused, { isActive: false })).toEqual([]);
    expect(rounds.incident).toMatchObject({ ended: null, unwatchedSince: paused });
    expect(rounds.look(after(paused, seconds(29)), { isActive: false })).toEqual([]);
    expect(rounds.look(after(paused, seconds(30)), { isActive: false })).toEqual(["closed"]);
    expect(rounds.incident?.ended).toEqual({ at: paused, because: "deactivated" });
    expect(rounds.look(round(9), { isActive: false })).toEqual([]);
  });
  test("has its incident as before if it is watched again within that while", () => {
    const rounds = new Rounds();
    rounds.play({ A: "ee" });
    const before = {
      ...rounds.incident!,
      acknowledged: { at: round(1), by: "Ann", severity: "error" as const },
    };
    rounds.incident = before;
    expect(rounds.look(after(round(1), seconds(3)), { isActive: false })).toEqual([]);
    expect(rounds.look(after(round(1), seconds(5)))).toEqual([]);
    expect(rounds.incident).toEqual(before);
    // The next pause counts anew.
    expect(rounds.look(round(2), { isActive: false })).toEqual([]);
    expect(rounds.play({ A: "e" }, 3)).toEqual([]);
    expect(rounds.incidents).toHaveLength(1);
  });
  test("keeps what it flaps by over such a pause", () => {
    const rounds = new Rounds();
    rounds.play({ A: "essessess" });
    const before = rounds.incident;
    expect(rounds.look(round(9), { isActive: false })).toEqual([]);
    expect(rounds.look(after(round(9), seconds(9)))).toEqual([]);
    expect(rounds.incident).toEqual(before);
  });
  test("starts again later, never before the pause, whatever is known of then", () => {
    const rounds = new Rounds();
    rounds.play({ A: "e" });
    pauseFor(rounds, 1);
    expect(rounds.play({ A: "e" }, 4)).toEqual(["opened"]);
    expect(rounds.incidents).toHaveLength(2);
    // It fails since the first check; up to the pause that is time of the incident before.
    const paused = rounds.incidents[0]?.ended?.at;
    expect(rounds.incident?.startedAt).toBe(paused);
    expect(rounds.play({ A: "eee" }, 5)).toEqual([]);
    expect(rounds.incident?.startedAt).toBe(paused);
  });
  test("does not flap by a pause: what it closed counts once, and a second outage opens it again", () => {
    const rounds = new Rounds();
    rounds.play({ A: "e" });
    pauseFor(rounds, 1);
    expect(rounds.play({ A: "ess" }, 4)).toEqual(["opened", "closed"]);
    expect(rounds.play({ A: "ess" }, 8)).toEqual(["reopened", "closed"]);
    expect(rounds.play({ A: "e" }, 12)).toEqual(["flapping"]);
    expect(rounds.incident?.flapping?.changes).toBe(5);
  });
});

const subject = { kind: "monitor", id: 1 } as const;
const down = {
  isError: true,
  isTrouble: true,
  isPastError: false,
  isWell: false,
  wellSince: null,
} as const;
const unwatched = {
  presence: null,
  lastKnownAt: null,
  isActive: false,
  isMaintained: false,
} as const;

/** Paused for as long as closes its incident. */
function pauseFor(rounds: Rounds, from: number): void {
  rounds.look(round(from), { isActive: false });
  expect(rounds.look(after(round(from), seconds(30)), { isActive: false })).toEqual(["closed"]);
}

describe("an incident that comes back", () => {
  test("within ten minutes is the same; later it is another", () => {
    const rounds = new Rounds();
    rounds.play({ A: "ess" });
    expect(rounds.play({ A: "e" }, 19)).toEqual(["reopened"]);
    expect(rounds.incidents).toHaveLength(1);
    rounds.play({ A: "ss" }, 20);
    expect(rounds.play({ A: "e" }, 41)).toEqual(["opened"]);
    expect(rounds.incidents).toHaveLength(2);
  });
  test("was down only while it was: what was well between two outages counts for neither", () => {
    const rounds = new Rounds();
    // Two minutes, then seven that are well, then one minute.
    rounds.play({ A: "eeeess" });
    rounds.play({ A: "s".repeat(12) }, 6);
    rounds.play({ A: "eess" }, 18);
    const incident = rounds.incident!;
    expect(downSpans(incident)).toEqual([
      { from: round(0), to: round(4) },
      { from: round(18), to: round(20) },
    ]);
    expect(downFor(incident, round(99))).toBe(minutes(3));
    expect(incident.ended?.at).toBe(round(20));
    // The start of the second outage is what a message of it says.
    expect(downSince(incident)).toBe(round(18));
  });
  test("lasts by the seconds that pages show of its beginning and end", () => {
    const rounds = new Rounds();
    rounds.play({ A: "e" });
    const startedAt = epochMillis(clock("08:05:20") + 480);
    const ended = { at: epochMillis(clock("08:09:20") + 3), because: "recovered" } as const;
    const over = { ...rounds.incident!, startedAt, ended };
    expect(shownDownFor(over, round(99))).toBe(minutes(4));
    expect(downFor(over, round(99))).toBe(minutes(4) - 477);
  });
  test("of a subject that is up while it flaps is down no longer", () => {
    const rounds = new Rounds();
    rounds.play({ A: "essessess" });
    const spans = downSpans(rounds.incident!);
    expect(rounds.incident).toMatchObject({ ended: null, flapping: { isDown: false } });
    expect(spans).toHaveLength(3);
    expect(spans.at(-1)?.to).toBe(rounds.incident?.flapping?.changedAt);
  });
  test("is down while it flaps from the first check that failed to the first that passed", () => {
    const rounds = new Rounds();
    rounds.play({ A: "essessesseess" });
    expect(downSpans(rounds.incident!)).toEqual([
      { from: round(0), to: round(1) },
      { from: round(3), to: round(4) },
      { from: round(6), to: round(7) },
      { from: round(9), to: round(11) },
    ]);
    expect(downFor(rounds.incident!, round(99))).toBe(5 * seconds(30));
  });
  test("of a subject that is up while it flaps ends with it, however that ends", () => {
    const rounds = new Rounds();
    rounds.play({ A: "essessess" });
    const flapping = rounds.incident!;
    const before = downSpans(flapping);
    const now = later(round(9), 20);
    const deleted = closedAsDeleted(flapping, now);
    rounds.look(now, { isActive: false });
    expect(rounds.look(later(now, 1), { isActive: false })).toEqual(["closed"]);
    expect(rounds.incident?.ended).toEqual({ at: now, because: "deactivated" });
    for (const one of [deleted, rounds.incident!]) {
      expect(downSpans(one)).toEqual(before);
      expect(downFor(one, later(now, 60))).toBe(downFor(flapping, now));
    }
  });
  test("the third time in an hour is flapping: then quiet until half an hour without a change, and the sum", () => {
    const rounds = new Rounds();
    expect(rounds.play({ A: "essessess" })).toEqual(
      "opened closed reopened closed flapping came_up".split(" "),
    );
    expect(rounds.incident?.ended).toBeNull();
    expect(rounds.play({ A: "essess" }, 9)).toEqual([
      "went_down",
      "came_up",
      "went_down",
      "came_up",
    ]);
    const stood = rounds.incident?.flapping?.changedAt ?? round(0);
    rounds.play({ A: "s".repeat(58) }, 15);
    expect(rounds.look(later(stood, 29))).toEqual([]);
    rounds.result("A", 75, "s");
    expect(rounds.look(later(stood, 30))).toEqual(["settled"]);
    expect(rounds.incident?.ended).toEqual({ at: stood, because: "recovered" });
    expect(rounds.incident?.flapping).toMatchObject({ changes: 10, isDown: false });
  });
  test("flaps as well if single checks pass four times in an hour, and each failed again", () => {
    const rounds = new Rounds();
    expect(rounds.play({ A: "esesese" })).toEqual(["opened"]);
    expect(rounds.play({ A: "se" }, 7)).toEqual(["flapping"]);
    expect(rounds.incident?.flapping).toEqual({ changes: 9, changedAt: round(8), isDown: true });
    const passed = [1, 3, 5, 7].map((one) => ({
      from: round(one),
      to: round(one + 1),
      was: "error",
    }));
    expect(rounds.incident?.well).toEqual(passed);
    // While it goes on it is not steady, however long, and no outage.
    const hour = "se".repeat(60);
    expect(rounds.play({ A: hour }, 9)).toEqual([]);
    expect(rounds.incident).toMatchObject({ flapping: { changes: 129, changedAt: round(128) } });
    expect(rounds.play({ A: "ss" }, 129)).toEqual(["came_up"]);
    expect(rounds.play({ A: "s".repeat(61) }, 131)).toEqual(["settled"]);
    expect(rounds.incident?.ended).toEqual({ at: round(129), because: "recovered" });
  });
  test("does not flap by passes that are rarer, or by one location's while the others fail", () => {
    const rare = new Rounds();
    const seldom = `${"e".repeat(40)}s`;
    expect(rare.play({ A: `${seldom.repeat(6)}e` })).toEqual(["opened"]);
    const some = new Rounds();
    expect(some.play({ A: "eseseseseses", B: "eeeeeeeeeeee", C: "eeeeeeeeeeee" })).toEqual([
      "opened",
    ]);
  });
  test("stays open, and flaps no more, once its checks failed for five minutes without a break", () => {
    const rounds = new Rounds();
    rounds.play({ A: "essesse" });
    expect(rounds.play({ A: "eee" }, 7)).toEqual([]);
    // A check that passes is too little to be up, but what fails after it counts anew.
    expect(rounds.play({ A: `s${"e".repeat(10)}` }, 10)).toEqual([]);
    expect(rounds.play({ A: "e" }, 21)).toEqual(["settled"]);
    expect(rounds.incident).toMatchObject({ ended: null, flapping: null });
    expect(rounds.play({ A: "ss" }, 22)).toEqual(["closed"]);
    expect(rounds.play({ A: "e" }, 24)).toEqual(["flapping"]);
  });
  test("flaps on until a second check has failed, however slow its checks are", () => {
    const rounds = new Rounds();
    rounds.play({ A: "essesse" });
    // The look at what flaps comes before the next check.
    const presence = { ...down, troubleSince: round(6) };
    const lastKnownAt = round(6);
    expect(rounds.look(later(round(6), 6), { presence, lastKnownAt })).toEqual([]);
    expect(rounds.look(later(round(6), 7), { presence, lastKnownAt: round(7) })).toEqual([
      "settled",
    ]);
  });
});
