import type { Choice } from "#check/form-field";
import { namesShown } from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";

/** Which channels are notified of a monitor's failures. */
export interface ChannelHearing {
  readonly hasChannel: boolean;
  /** Names of those that need no tick. */
  readonly unticked: readonly string[];
  /** Whether those are notified of all monitors, whatever labels and locations these have. */
  readonly isOfAll: boolean;
  /** Ids of choices whose events have no failures, or which are for others: ticked or not, they are not notified when it fails. */
  readonly withoutFailures: readonly string[];
  /** Whether files own one that is notified of failures, and has no tick here. */
  readonly hasOfFiles: boolean;
  /** Names of those for which it has not the labels or locations, each with these. */
  readonly onlyOf: readonly (readonly [name: string, condition: string])[];
}

export interface NotifiedNames extends ChannelHearing {
  readonly choices: readonly Choice[];
  readonly ticked: readonly string[];
}

/** Who is notified of a monitor as its form has it. A script says it again when a box changes, with the words that are here. */
export function notifiedNote(all: NotifiedNames): Html {
  const { hasChannel, unticked, isOfAll, withoutFailures, choices } = all;
  if (!hasChannel) return html`${words.nowhere}`;
  const others = onlyOfOthers(all);
  if (choices.length === 0 && unticked.length > 0)
    return html`${isOfAll ? ofAll(unticked) : sentence(unticked, "")}${others}`;
  const none = noneOf(all);
  return html`<span
      data-notified="${JSON.stringify(unticked)}"
      data-without-failures="${JSON.stringify(withoutFailures)}"
      data-shown="${namesShown}"
      data-none="${none}"
      data-one="${words.one}"
      data-many="${words.many}"
      >${heardBy(all)}</span
    >${unticked.length === 0 ? null : ` ${forAll(unticked)}`}${others}`;
}

const words = {
  nowhere: "There is no channel yet, so no one is notified when it fails.",
  noFailures: "No channel takes its failures, so no one is notified when it fails.",
  none: "No one is notified when it fails: tick a channel.",
  untickable: "No one is notified when it fails.",
  one: "is notified when it fails.",
  many: "are notified when it fails.",
} as const;

/** The words alone. */
export const notifiedSentence = (all: NotifiedNames): string =>
  all.hasChannel ? `${heardBy(all)}${onlyOfOthers(all)}` : words.nowhere;

function heardBy(all: NotifiedNames): string {
  const { unticked, withoutFailures, choices, ticked } = all;
  const chosen = choices
    .filter(([id]) => ticked.includes(id) && !withoutFailures.includes(id))
    .map(([, name]) => name);
  return sentence([...unticked, ...chosen], noneOf(all));
}

const noneOf = ({
  withoutFailures,
  choices,
  hasOfFiles,
  onlyOf,
}: Pick<NotifiedNames, "withoutFailures" | "choices" | "hasOfFiles" | "onlyOf">): string => {
  if (choices.some(([id]) => !withoutFailures.includes(id))) return words.none;
  return hasOfFiles || onlyOf.length > 0 ? words.untickable : words.noFailures;
};

/** ` Web team is notified only of monitors with the label team:web.`, of each that is for others; empty: of none. */
function onlyOfOthers({ onlyOf }: ChannelHearing): string {
  const rest = onlyOf.length - namesShown;
  return [
    ...onlyOf
      .slice(0, namesShown)
      .map(([name, condition]) => ` ${name} is notified only of monitors ${condition}.`),
    ...(rest > 0 ? [` ${rest} more ${rest === 1 ? "is" : "are"} only for others, too.`] : []),
  ].join("");
}

function sentence(names: readonly string[], none: string): string {
  if (names.length === 0) return none;
  return `${listed(names)} ${names.length === 1 ? words.one : words.many}`;
}

/** Without a box to tick: nothing is to be chosen. */
const ofAll = (names: readonly string[]): string =>
  `${listed(names)} ${names.length === 1 ? "is" : "are"} notified of all monitors.`;

const forAll = (names: readonly string[]): string =>
  `${listed(names)} ${names.length === 1 ? "needs" : "need"} no tick.`;

/** `Operations, Tickets and Pager`, or the first and how many more. */
export function listed(names: readonly string[], last = "and"): string {
  const rest = names.length - namesShown;
  const all = rest > 0 ? [...names.slice(0, namesShown), `${rest} more`] : names;
  const [end = ""] = all.slice(-1);
  return all.length === 1 ? end : `${all.slice(0, -1).join(", ")} ${last} ${end}`;
}
