import { expect, test } from "vitest";
import { rulesDefault } from "#service/alerting/channel-rules";
import type { DeliveryRow } from "#service/store/alert-store";
import {
  detailWords,
  outcomeWords,
  waitEnd,
  whenWords,
} from "#service/operator/incidents/delivery-words";
import { holdReasons } from "#service/alerting/queue";
import { epochMillis, type EpochMillis, minutes } from "#base/units";

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

interface Waits {
  readonly reason: DeliveryRow["reason"];
  readonly message?: string;
  readonly retryAt?: EpochMillis;
}
const waiting = (
  { reason, message = "", retryAt }: Waits,
  of: Parameters<typeof waitEnd>[1] = rules,
  at = epochMillis(1_000),
): string => {
  const row = { ...first, state: "waiting", reason, message, createdAt: epochMillis(0) } as const;
  const delivery = { ...row, settledAt: null, retryAt: retryAt ?? null };
  const end = waitEnd(delivery, of, at)?.text ?? "";
  return `${outcomeWords(delivery, of)}${end}`.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
};

test("a message that waits for the end of quiet hours says when that is", () => {
  // They are longer than an hour, after which whatever waits is looked at again.
  expect(waiting({ reason: "quiet_hours" }, night, hour)).toBe(
    "waits: the channel has quiet hours until 1 Jan, 07:00 UTC",
  );
  expect(waiting({ reason: "quiet_hours" }, null, hour)).toBe("waits: the channel has quiet hours");
});

test("a message that waits says why for each reason that there is, and until when if that is known", () => {
  for (const reason of holdReasons)
    expect(waiting({ reason })).toMatch(/^(waits: \w.{12}|failed; it is tried again)/);
  expect(waiting({ reason: "" })).toBe("waits: the service sends it within seconds");
  const delayed = { ...rules, delay: minutes(10) };
  expect(waiting({ reason: "delay" }, delayed)).toBe(
    "waits: the channel waits 10 min before its first message until 00:10 UTC",
  );
  const refused = { reason: "retry", message: "connection refused", retryAt: hour };
  expect(waiting(refused)).toBe("failed (connection refused); it is tried again at 01:00 UTC");
  expect(waiting(refused, rules, epochMillis(hour + 1))).toBe(
    "failed (connection refused); it is tried again",
  );
});

test("a message that is silenced, or whose monitor depends on what is down, says until when", () => {
  const waits = { silencedUntil: hour, parent: null };
  expect(waiting({ reason: "silence" }, { ...rules, waits })).toBe(
    "waits: it is silenced until 01:00 UTC",
  );
  expect(waiting({ reason: "silence" })).toBe("waits: it is silenced");
  const behind = (until: EpochMillis | null): string => {
    const parent = { name: "Edge", until, rounds: minutes(2) };
    return waiting({ reason: "parent" }, { ...rules, waits: { silencedUntil: null, parent } });
  };
  expect(behind(null)).toBe(
    "waits: Edge, which it depends on, is down; if this still fails 2 min after that is up, it is sent then",
  );
  expect(behind(hour)).toBe(
    "waits: Edge, which it depends on, is up again; if this still fails, it is sent at 01:00 UTC",
  );
  expect(waiting({ reason: "parent" })).toBe("waits: what it depends on is down");
});

test("a message of a channel that rests or is switched off says so", () => {
  const resting = { ...rules, lane: { isDisabled: false, failures: 2, restUntil: hour } };
  expect(waiting({ reason: "" }, resting)).toBe(
    "waits: the last message failed, so the channel is tried again at 01:00 UTC",
  );
  const off = { ...rules, lane: { isDisabled: true, failures: 2, restUntil: hour } };
  expect(waiting({ reason: "retry", message: "it answers 410" }, off)).toBe(
    "waits: nothing is tried until the channel's data is changed or a delivery is retried; last: it answers 410",
  );
});

test("a message of a channel whose quiet hours never end says that it is never sent", () => {
  const always = { ...rules, quietHours: [{ days: [], from: "09:00", to: "09:00" }] };
  const held = { state: "waiting", reason: "quiet_hours", message: "" } as const;
  const at = { ...first, createdAt: epochMillis(0), settledAt: null };
  expect(outcomeWords({ ...at, ...held }, always)).toBe(
    "waits: the channel is always quiet: it never sends",
  );
  expect(waitEnd({ ...at, ...held, retryAt: null }, always, hour)).toBeNull();
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
