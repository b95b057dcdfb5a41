import type { ChannelId, LocationId } from "#service/store/ids";

/** Where a monitor runs, and who is notified of it. */
export interface MonitorPlaces {
  readonly locations: readonly LocationId[];
  readonly channels: readonly ChannelId[];
}

/** One thing that is done with many monitors. */
export type MonitorChange =
  | { readonly kind: "active"; readonly active: boolean }
  /** A null value takes the label away. */
  | { readonly kind: "label"; readonly key: string; readonly value: string | null }
  | { readonly kind: "location"; readonly location: LocationId; readonly assigned: boolean }
  | { readonly kind: "delete" };
