import { type Kind, kinds } from "#check/monitor";
import type { FieldDifference } from "#service/configuration/field-difference";
import type { ObjectKind, Touch } from "#service/store/configuration-store";

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

/** What has an owner, and what stands on a status page and belongs to the page's. */
export type ResourceKind = OwnedKind | "status_page_component_group" | "status_page_component";
export type OwnedKind =
  | MonitorWord
  | "private_location"
  | "notification"
  | "status_page"
  | "maintenance";

type MonitorWord = `${Kind}_monitor`;
const monitorWords: readonly MonitorWord[] = kinds.map((kind) => `${kind}_monitor` as const);
export const isMonitorWord = (kind: string): kind is MonitorWord =>
  monitorWords.some((one) => one === kind);

/** Where the owner of each kind is kept. */
export const objectKindOf = (kind: ResourceKind): ObjectKind =>
  isMonitorWord(kind) ? "monitor" : otherObjectKinds[kind];

const otherObjectKinds: { readonly [R in Exclude<ResourceKind, MonitorWord>]: ObjectKind } = {
  private_location: "location",
  notification: "channel",
  status_page: "page",
  status_page_component_group: "page",
  status_page_component: "page",
  maintenance: "maintenance",
};

/** In an order in which none refers to a later one. */
export const ownedKinds: readonly OwnedKind[] = [
  ...monitorWords,
  "private_location",
  "notification",
  "status_page",
  "maintenance",
];

/** `http monitor`, for a sentence. */
export const wordsOf = (kind: ResourceKind): string => kind.replaceAll("_", " ");
