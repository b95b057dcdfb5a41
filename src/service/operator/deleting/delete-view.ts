import { counted } from "#web/page/format";
import type { Html } from "#web/page/html";
import { kindWords, pathOf } from "#service/operator/changes/changed-objects";
import { type RemovalFact, removalView, tenMinutes } from "#service/operator/deleting/removal-view";
import type { KnownReader } from "#service/operator/page-request";
import type { Belongings, PartKind, TrashKind } from "#service/store/trash/trash-store";

/** Others ask in their own words: `location-removal.ts`, `channel-removal.ts`, `maintenance-view.ts`, `subscriber-removal.ts`, `report-corrections.ts`, and parts of a page next to themselves. */
export type AskedKind = Exclude<
  TrashKind,
  "location" | "channel" | "maintenance" | "subscriber" | "update" | "workUpdate" | PartKind
>;

interface Deletion {
  readonly kind: AskedKind;
  readonly id: string;
  readonly name: string;
  /** Of the files that it is from; empty if a person made it. */
  readonly owner: string;
  /** What it is. */
  readonly facts: readonly RemovalFact[];
  /** What goes with it, in sentences. */
  readonly goes: readonly string[];
  readonly reader: KnownReader;
}

/** The one question before something is deleted. */
export function deleteView({ kind, id, name, owner, facts, goes, reader }: Deletion): Html {
  const path = pathOf({ kind, id }) ?? "/";
  return removalView({
    reader,
    owner,
    back: { path, words: name },
    title: `Delete the ${kindWords[kind]} ${name}?`,
    facts,
    effects: goes,
    undo: tenMinutes,
    action: `${path}/delete`,
    button: `Delete ${kindWords[kind]}`,
  });
}

/** Of a monitor whose results are on a database server that is away: what else belongs to it is not counted either. */
export const goesUncounted: readonly string[] = [
  "Its results go with it. They cannot be counted now, as their database server cannot be reached.",
  "Its incidents stay listed; an open one ends.",
];

/** What goes with each kind, in sentences. */
export const whatGoes: { readonly [K in AskedKind]: (all: Belongings) => readonly string[] } = {
  monitor: ({ results, incidents, locations, channels, pages }) => [
    locations === 0
      ? "It is checked nowhere."
      : `It is no longer checked at ${counted(locations, "location")}.`,
    results === 0
      ? "It has no results."
      : `Its ${counted(results, "result")} ${results === 1 ? "goes" : "go"} with it.`,
    ...(pages === 0 ? [] : [`So does its place on ${counted(pages, "status page")}.`]),
    ...(channels === 0
      ? []
      : [`${counted(channels, "channel")} will not be notified of it any more.`]),
    ...(incidents === 0
      ? []
      : [
          incidents === 1
            ? "Its incident stays listed, and ends if it is open."
            : `Its ${counted(incidents, "incident")} stay listed; an open one ends.`,
        ]),
  ],
  page: ({ components, reports, subscribers, unconfirmed }) => [
    "Its address answers “not found” at once.",
    `With it go its ${counted(components, "component")} and ${counted(reports, "report")}.`,
    ...(subscribers === 0
      ? []
      : [
          `${counted(subscribers, "subscriber")} ${subscribers === 1 ? "gets" : "get"} no more news.`,
        ]),
    ...(unconfirmed === 0
      ? []
      : [`${counted(unconfirmed, "subscription")} not confirmed yet can no longer be confirmed.`]),
  ],
  report: ({ updates }) => [
    "Readers do not see it any more.",
    `Its ${counted(updates, "update")} ${updates === 1 ? "goes" : "go"} with it.`,
  ],
};
