import * as checkLimits from "#limits/check-limits";
import type { Result } from "#check/result";
import { cutText } from "#base/text";
import { nanosToMillis } from "#base/units";
import type { MessageWriter, WireField } from "#wire/message-writer";

/* What the plain calls of several kinds say alike. */

/** The first five fields, which all plain calls have in common. */
export function writeNames(
  writer: MessageWriter,
  { id, monitorId, latency, timestamp, cronTimestamp }: NameFields,
  result: Result,
): void {
  writer.text(id, result.id);
  writer.text(monitorId, result.monitorId);
  writer.integer(latency, result.latency);
  writer.integer(timestamp, result.startedAt);
  writer.integer(cronTimestamp, result.slot);
}

type NameFields = Readonly<
  Record<"id" | "monitorId" | "latency" | "timestamp" | "cronTimestamp", WireField>
>;

export const messageOf = ({ failure }: Result): string =>
  cutText(failure?.message ?? "", checkLimits.messageCharsMax);
export const errorOf = ({ status }: Result): number => (status === "error" ? 1 : 0);

export function spanOf(
  result: Result,
  start: string,
  done: string,
): Readonly<Record<string, number>> {
  if (result.outcome === null) return { [start]: 0, [done]: 0 };
  const { startedAt, total } = result.outcome;
  return { [start]: startedAt, [done]: Math.round(startedAt + nanosToMillis(total)) };
}
