/** Units are minted here and nowhere else, so that a millisecond is never read as a nanosecond. */

declare const unit: unique symbol;

/** A duration in milliseconds. */
export type Millis = number & { readonly [unit]: "ms" };

/** A duration, or an instant of the monotonic clock, in whole nanoseconds. */
export type Nanos = number & { readonly [unit]: "ns" };

/** An instant of the wall clock: whole milliseconds since the Unix epoch. */
export type EpochMillis = number & { readonly [unit]: "epoch ms" };

/** A size in bytes. */
export type Bytes = number & { readonly [unit]: "B" };

export const millis = (value: number): Millis => value as Millis;
export const seconds = (value: number): Millis => (value * 1000) as Millis;
export const minutes = (value: number): Millis => (value * 60_000) as Millis;
export const hours = (value: number): Millis => (value * 3_600_000) as Millis;
export const nanos = (value: number): Nanos => Math.round(value) as Nanos;
export const epochMillis = (value: number): EpochMillis => Math.floor(value) as EpochMillis;
export const bytes = (value: number): Bytes => value as Bytes;
export const kibibytes = (value: number): Bytes => (value * 1024) as Bytes;
export const mebibytes = (value: number): Bytes => (value * 1024 * 1024) as Bytes;

export const nanosToMillis = (value: Nanos): Millis => (value / 1e6) as Millis;
export const millisToNanos = (value: Millis): Nanos => Math.round(value * 1e6) as Nanos;

/** An instant moved by a duration. */
export const after = (instant: EpochMillis, duration: Millis): EpochMillis =>
  (instant + duration) as EpochMillis;

/** The duration from one instant to a later one; negative when `to` lies before `from`. */
export const between = (from: EpochMillis, to: EpochMillis): Millis => (to - from) as Millis;
