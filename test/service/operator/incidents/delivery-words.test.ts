import { expect, test } from "vitest";
import type { DeliveryRow } from "#service/store/alert-store";
import { detailWords, outcomeWords, quietEnd } from "#service/operator/incidents/delivery-words";
import { epochMillis } from "#base/units";

const hour = epochMillis(3_600_000);

const dropped = (words: Pick<DeliveryRow, "reason" | "message">): string =>
  outcomeWords({
    state: "dropped",
    createdAt: epochMillis(0),
    settledAt: epochMillis(1),
    ...words,
  });

test("a message that was not sent says why in one sentence", () => {
  expect(dropped({ reason: "nothing_changed", message: "" })).toBe(
    "not sent, because what it was about was over before anything was sent",
  );
  expect(dropped({ reason: "refused", message: "it answers 404" })).toBe(
    "not sent: it answers 404",
  );
});

test("next to its mark a message says only what the mark does not", () => {
  const at = { createdAt: epochMillis(0), settledAt: epochMillis(1) };
  const detail = (row: Pick<DeliveryRow, "state" | "reason" | "message">): string =>
    detailWords({ ...at, ...row });
  expect(detail({ state: "sent", reason: "", message: "" })).toBe("");
  expect(detailWords({ ...at, state: "sent", reason: "", message: "", settledAt: hour })).toMatch(
    /^1\u00A0h late$/,
  );
  expect(detail({ state: "dropped", reason: "refused", message: "it answers 404" })).toBe(
    "it answers 404",
  );
  expect(detail({ state: "waiting", reason: "quiet_hours", message: "" })).toBe(
    "the channel has quiet hours",
  );
});

test("a message that waits for the end of quiet hours says when that is", () => {
  const held = { state: "waiting", reason: "quiet_hours", message: "", dueAt: hour } as const;
  expect(`${quietEnd(held)?.text}`).toMatch(/^ until <time datetime="1970-01-01T01:00:00.000Z">/);
  expect(quietEnd({ ...held, reason: "pace" })).toBeNull();
  expect(quietEnd({ ...held, state: "sent", reason: "" })).toBeNull();
});
