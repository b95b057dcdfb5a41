import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventKind, Severity } from "#service/alerting/incident";
import { compose, type RecentLetter } from "#service/alerting/letters";
import type { Queue } from "#service/alerting/queue";
import type { Manner } from "#service/notify/provider";
import { after, lane, manners, queue } from "./waiting.ts";

/** One channel through a story of one incident, with a provider that takes a message or does not. */
const moment = fc.record({
  kind: fc.constantFrom<EventKind>("opened", "worsened", "eased", "closed", "reopened", "reminder"),
  passes: fc.integer({ min: 1, max: 400 }),
  isTaken: fc.boolean(),
});

/** What arrived, in order: whether each message says that something is down or over. */
function arrivals(
  moments: readonly { kind: EventKind; passes: number; isTaken: boolean }[],
  manner: Manner,
): readonly ("down" | "up" | "late up")[] {
  const arrived: ("down" | "up" | "late up")[] = [];
  let events: (readonly [EventKind, number, Severity?])[] = [];
  let sent: Queue["sent"] = null;
  let isOpen = false;
  let second = 0;
  const recent: RecentLetter[] = [];
  for (const { kind, passes, isTaken } of moments) {
    second += passes;
    const possible = isOpen ? kind !== "opened" && kind !== "reopened" : kind === "opened";
    if (possible) {
      events.push([kind, second, kind === "eased" ? "degraded" : "error"]);
      isOpen = kind !== "closed";
    }
    if (events.length === 0) continue;
    const ended = isOpen ? null : ({ at: after(second), because: "recovered" } as const);
    const waiting = queue({ events, sent, ...(ended === null ? {} : { ended }) });
    const now = after(second + 5);
    const { letters, dropped } = compose([waiting], lane({ manner, recent }), now);
    const gone = new Set(dropped.map(({ delivery }) => delivery.event));
    const plan = letters[0]?.plans[0];
    if (plan !== undefined && isTaken) {
      const isUp = plan.occasion.is === "ended";
      arrived.push(
        !isUp ? "down" : plan.lead.kind === "closed" && sent === null ? "late up" : "up",
      );
      plan.covers.forEach(({ event }) => gone.add(event));
      const { kind, severity, at } = plan.lead;
      // What waits is numbered anew in each round, from one.
      sent = { event: 0, kind, severity, at, together: 1 };
    }
    events = events.filter((_, index) => !gone.has(index + 1));
    if (!isOpen && events.length === 0) sent = null;
  }
  return arrived;
}

/** Whether a channel heard an up without a down, or one that was not for it. */
function isTrue(heard: readonly ("down" | "up" | "late up")[], manner: Manner): boolean {
  const knowsLate = manner === "chat" || manner === "mail" || manner === "push";
  return heard.every((one, index) =>
    one === "up" ? heard[index - 1] === "down" : one === "down" || knowsLate,
  );
}

test.each(manners)("a %s never gets an up without a down, nor two ups in a row", (manner) => {
  const property = fc.property(fc.array(moment, { maxLength: 40 }), (moments) =>
    isTrue(arrivals(moments, manner), manner),
  );
  expect(fc.check(property, { numRuns: 400 })).toMatchObject({ failed: false });
});
