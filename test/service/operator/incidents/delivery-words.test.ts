import { expect, test } from "vitest";
import { rulesDefault } from "#service/alerting/channel-rules";
import type { DeliveryRow } from "#service/store/alert-store";
import {
  detailWords,
  outcomeWords,
  quietEnd,
  whenWords,
} from "#service/operator/incidents/delivery-words";
import { epochMillis, minutes } from "#base/units";

const hour = epochMillis(3_600_000);

const rules = rulesDefault;
const night = {
  ...rules,
  quietHours: [{ days: [], from: "22:00", to: "07:00" }],
  timeZone: "UTC",
};

const first = { kind: "opened", saidBefore: null } as const;

const dropped = (words: Pick<DeliveryRow, "reason" | "message">): string =>
  outcomeWords(
    { ...first, state: "dropped", createdAt: epochMillis(0), settledAt: epochMillis(1), ...words },
    rules,
  );

test("a message that was not sent says why in one sentence", () => {
  expect(dropped({ reason: "nothing_changed", message: "" })).toBe(
    "not sent, because what it was about was over before this message was sent",
  );
  expect(dropped({ reason: "refused", message: "it answers 404" })).toBe(
    "not sent: it answers 404",
  );
});

test("next to its mark a message says only what the mark does not", () => {
  const at = { ...first, createdAt: epochMillis(0), settledAt: epochMillis(1) };
  const detail = (row: Pick<DeliveryRow, "state" | "reason" | "message">): string =>
    detailWords({ ...at, ...row }, rules);
  expect(detail({ state: "sent", reason: "", message: "" })).toBe("");
  const late = { ...at, state: "sent", reason: "", message: "", settledAt: hour } as const;
  expect(detailWords(late, rules)).toBe("1\u00A0h late");
  expect(detail({ state: "dropped", reason: "refused", message: "it answers 404" })).toBe(
    "it answers 404",
  );
  expect(detail({ state: "waiting", reason: "quiet_hours", message: "" })).toBe(
    "the channel has quiet hours",
  );
});

test("a message that waits for the end of quiet hours says when that is", () => {
  // They are longer than an hour, after which whatever waits is looked at again.
  const held = { state: "waiting", reason: "quiet_hours", message: "" } as const;
  const words = `${quietEnd(held, night, hour)?.text}`;
  expect(words).toMatch(/^ until <time datetime="1970-01-01T07:00:00.000Z">/);
  expect(quietEnd({ ...held, reason: "pace" }, night, hour)).toBeNull();
  expect(quietEnd({ ...held, state: "sent", reason: "" }, night, hour)).toBeNull();
  expect(quietEnd(held, null, hour)).toBeNull();
});

test("a message of a channel whose quiet hours never end says that it is never sent", () => {
  const always = { ...rules, quietHours: [{ days: [], from: "09:00", to: "09:00" }] };
  const held = { state: "waiting", reason: "quiet_hours", message: "" } as const;
  const at = { ...first, createdAt: epochMillis(0), settledAt: null };
  expect(outcomeWords({ ...at, ...held }, always)).toBe(
    "waits: the channel is always quiet: it never sends",
  );
  expect(quietEnd(held, always, hour)).toBeNull();
});

test("a message is late from when its channel asked for it, which is later only for the first of an outage", () => {
  const delayed = { ...rules, delay: minutes(2) };
  const late = (
    kind: DeliveryRow["kind"],
    saidBefore: DeliveryRow["saidBefore"],
    sent: number,
  ): string =>
    outcomeWords(
      {
        state: "sent",
        reason: "",
        message: "",
        createdAt: epochMillis(0),
        settledAt: epochMillis(minutes(sent)),
        kind,
        saidBefore,
      },
      delayed,
    ).replaceAll("\u00A0", " ");
  expect(late("opened", null, 2)).toBe("sent");
  expect(late("opened", null, 5)).toBe("sent, 3 min late");
  expect(late("reopened", "closed", 2)).toBe("sent");
  expect(late("worsened", "opened", 2)).toBe("sent, 2 min late");
  expect(late("closed", "opened", 2)).toBe("sent, 2 min late");
});

test("a message says when it was sent or first tried, and when it was written if that is a minute earlier", () => {
  const at = (minute: number | null) => (minute === null ? null : epochMillis(minutes(minute)));
  const when = (first: number | null, settled: number | null): string =>
    whenWords({ createdAt: epochMillis(0), firstTriedAt: at(first), settledAt: at(settled) })
      .text.replaceAll(/<[^>]*>/g, "|")
      .replaceAll("\u00A0", " ");
  expect(when(null, null)).toBe("Written |1 Jan, 00:00:00 UTC|");
  expect(when(0, 0)).toBe("|1 Jan, 00:00:00 UTC|");
  expect(when(1, null)).toBe("First tried |1 Jan, 00:01:00 UTC||written |1 Jan, 00:00:00 UTC||");
  expect(when(1, 3)).toBe("|1 Jan, 00:03:00 UTC||written |1 Jan, 00:00:00 UTC||");
});
