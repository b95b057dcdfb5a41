import * as limits from "#limits/check-limits";
import { counted } from "#base/text";
import { epochMillis, type EpochMillis } from "#base/units";

/** From when to when a certificate is valid. */
export interface CertificateSpan {
  readonly begin: EpochMillis;
  readonly end: EpochMillis;
}

/** A certificate that ends soon. */
export interface CertificateEnding {
  readonly end: EpochMillis;
  /** The threshold that was passed last, in days before the end. */
  readonly threshold: number;
  /** When it was passed, or when a check saw the certificate first, if that was later. */
  readonly since: EpochMillis;
}

const day = 86_400_000;

/**
 * Whether a certificate is near its end. `wanted` are days before it that a person chose; null is what is usual, without
 * those that are most of the life of a short one.
 */
export function certificateEnding(
  span: CertificateSpan,
  wanted: readonly number[] | null,
  now: EpochMillis,
): CertificateEnding | null {
  const passed = thresholdsOf(span, wanted).filter((days) => now >= span.end - days * day);
  if (passed.length === 0) return null;
  const threshold = Math.min(...passed);
  return { end: span.end, threshold, since: epochMillis(span.end - threshold * day) };
}

/** When the next threshold is passed; null if none comes. */
export function nextThresholdAt(
  span: CertificateSpan,
  wanted: readonly number[] | null,
  now: EpochMillis,
): EpochMillis | null {
  const coming = thresholdsOf(span, wanted)
    .map((days) => span.end - days * day)
    .filter((at) => at > now);
  return coming.length === 0 ? null : epochMillis(Math.min(...coming));
}

const thresholdsOf = (
  { begin, end }: CertificateSpan,
  wanted: readonly number[] | null,
): readonly number[] =>
  wanted ??
  limits.certificateDaysDefault.filter(
    (days) => days * day * limits.certificateLifePart <= end - begin,
  );

/** `its certificate ends in 13 days, on 7 December: renew it`. */
export function endingWords({ end }: Pick<CertificateEnding, "end">, now: EpochMillis): string {
  const on = dates.format(end);
  if (end <= now) return `its certificate ended on ${on}: renew it`;
  return `its certificate ends ${daysLeft(end, now)}, on ${on}: renew it`;
}

/** `in 13 days`. */
export function daysLeft(end: EpochMillis, now: EpochMillis): string {
  const days = Math.floor((end - now) / day);
  return days === 0 ? "in less than a day" : `in ${counted(days, "day")}`;
}

/** `7 December 2027`. */
export const endDay = (end: EpochMillis): string =>
  `${dates.format(end)} ${new Date(end).getUTCFullYear()}`;

const dates = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
