import type { Kind } from "#check/monitor";
import type { FieldDifference } from "#service/configuration/field-difference";
import type { ObjectKind, Touch } from "#store/configuration-store";

/** One object that files name, or that goes because they do not, and what becomes of it. */
export interface PlannedChange {
  readonly action: "create" | "update" | "replace" | "delete" | "same";
  readonly kind: ResourceKind;
  readonly name: string;
  readonly fields: readonly FieldDifference[];
  readonly notes: readonly string[];
  /** What was done to it by hand since its files were last applied. */
  readonly touch: Touch | null;
}

export type ResourceKind = `${Kind}_monitor` | "private_location" | "notification" | "maintenance";

/** Where objects of each kind are kept. */
export const objectKindOf: { readonly [R in ResourceKind]: ObjectKind } = {
  http_monitor: "monitor",
  tcp_monitor: "monitor",
  dns_monitor: "monitor",
  private_location: "location",
  notification: "channel",
  maintenance: "maintenance",
};
export const resourceKinds: readonly ResourceKind[] = [
  "http_monitor",
  "tcp_monitor",
  "dns_monitor",
  "private_location",
  "notification",
  "maintenance",
];

/** `http monitor`, for a sentence. */
export const wordsOf = (kind: ResourceKind): string => kind.replaceAll("_", " ");
