import { searchedAs } from "#base/searched-as";
import { hasWords } from "#base/text";
import { failureSentence } from "#service/notify/message/failure-sentence";
import type { OverviewQuery } from "#service/operator/overview-query";
import { plannedMonitors } from "#service/operator/planned/planned-monitors";
import {
  listedState,
  type Picture,
  type PicturedMonitor,
  type PicturedReason,
} from "#service/operator/picture";
import { statusWords } from "#service/operator/status-mark";

/** All that a query finds, on every page of it: a monitor has every word of its text, in any order. */
export function matchingMonitors(
  picture: Pick<Picture, "monitors" | "texts" | "planned" | "at">,
  query: OverviewQuery,
): readonly PicturedMonitor[] {
  const { monitors, texts } = picture;
  const planned = query.planned === null ? null : plannedMonitors(picture)[query.planned];
  const words = searchedAs(query.text).split(/\s+/).filter(Boolean);
  return monitors.filter(
    (monitor, index) =>
      isChosen(monitor, query) &&
      (planned === null || planned.has(monitor.id)) &&
      (words.length === 0 ||
        hasWords(`${texts?.[index] ?? searchedText(monitor)}\n${stateText(monitor)}`, words)),
  );
}

function isChosen(
  monitor: PicturedMonitor,
  { state, unheard, location, label }: OverviewQuery,
): boolean {
  if (unheard && !monitor.unheard) return false;
  if (state !== null && listedState(monitor) !== state) return false;
  if (location !== null && !monitor.seenBy.some((one) => one.location === location)) return false;
  return label === "" || pairsOf(monitor).includes(label);
}

const pairsOf = ({ labels }: PicturedMonitor): readonly string[] =>
  Object.entries(labels).map(([key, value]) => `${key}:${value}`);

/** What does not change with a verdict, a line each: no word is found across two of them. */
export const searchedText = (monitor: PicturedMonitor): string =>
  searchedAs([monitor.name, monitor.target, ...pairsOf(monitor)].join("\n"));

const stateText = (monitor: PicturedMonitor): string =>
  searchedAs([statusWords[listedState(monitor)], ...wordsOf(monitor.reason)].join("\n"));

/** Its sentence as the check reports it, and as the pages say it. */
const wordsOf = (reason: PicturedReason | null): readonly string[] =>
  reason === null ? [] : [reason.message, failureSentence(reason.message), reason.code];
