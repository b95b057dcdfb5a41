import { failureSentence } from "#service/notify/message/failure-sentence";
import type { OverviewQuery } from "#service/operator/overview-query";
import { plannedMonitors } from "#service/operator/planned/planned-monitors";
import type { Picture, PicturedMonitor, PicturedReason } from "#service/operator/picture";
import { statusWords } from "#service/operator/status-mark";

/** All that a query finds, on every page of it. */
export function matchingMonitors(
  picture: Pick<Picture, "monitors" | "texts" | "planned" | "at">,
  query: OverviewQuery,
): readonly PicturedMonitor[] {
  const { monitors, texts } = picture;
  const planned = query.planned === null ? null : plannedMonitors(picture)[query.planned];
  const wanted = query.text.toLowerCase();
  return monitors.filter(
    (monitor, index) =>
      isChosen(monitor, query) &&
      (planned === null || planned.has(monitor.id)) &&
      (wanted === "" ||
        stateText(monitor).includes(wanted) ||
        (texts?.[index] ?? searchedText(monitor)).includes(wanted)),
  );
}

function isChosen(
  monitor: PicturedMonitor,
  { state, unheard, location, label }: OverviewQuery,
): boolean {
  if (unheard && !monitor.unheard) return false;
  if (state !== null && monitor.status !== state) return false;
  if (location !== null && !monitor.seenBy.some((one) => one.location === location)) return false;
  return label === "" || pairsOf(monitor).includes(label);
}

const pairsOf = ({ labels }: PicturedMonitor): readonly string[] =>
  Object.entries(labels).map(([key, value]) => `${key}:${value}`);

/** What does not change with a verdict, a line each: nothing is found across two of them. */
export const searchedText = (monitor: PicturedMonitor): string =>
  [monitor.name, monitor.target, ...pairsOf(monitor)].join("\n").toLowerCase();

const stateText = ({ status, reason }: PicturedMonitor): string =>
  [statusWords[status], ...wordsOf(reason)].join("\n").toLowerCase();

/** Its sentence as the check reports it, and as the pages say it. */
const wordsOf = (reason: PicturedReason | null): readonly string[] =>
  reason === null ? [] : [reason.message, failureSentence(reason.message), reason.code];
