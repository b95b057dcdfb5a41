/** Ids are integers inside the store, and the same integers as decimal text outside. They are minted here. */

declare const of: unique symbol;

export type MonitorId = number & { readonly [of]: "monitor" };
export type LocationId = number & { readonly [of]: "location" };
export type ChannelId = number & { readonly [of]: "channel" };
export type KeyId = number & { readonly [of]: "key" };
export type PersonId = number & { readonly [of]: "person" };

export const monitorId = (value: number): MonitorId => value as MonitorId;
export const locationId = (value: number): LocationId => value as LocationId;
export const channelId = (value: number): ChannelId => value as ChannelId;
export const keyId = (value: number): KeyId => value as KeyId;
export const personId = (value: number): PersonId => value as PersonId;

/** The integer that a text says in its one decimal form; null for every other text, so that no object has two names. */
export function integerOf(text: string): number | null {
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}
