import * as limits from "#limits/spool-limits";

/**
 * What a payload of so many bytes takes of a spool's room: what it takes in the file, where a row of more than half a
 * page has its pages for itself.
 */
export function rowBytes(payloadBytes: number): number {
  const { spoolPageBytes: page, spoolRowBytes: beside } = limits;
  const whole = Math.ceil(payloadBytes / page) * page;
  return beside + (payloadBytes + beside > page / 2 ? whole : payloadBytes);
}
