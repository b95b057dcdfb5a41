import type { Choice } from "#check/form-field";
import { namesShown } from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";

/** Which channels are notified of a monitor's failures. */
export interface ChannelHearing {
  readonly hasChannel: boolean;
  /** Names of those that need no tick. */
  readonly unticked: readonly string[];
  /** Ids of choices whose events have no failures: ticked or not, they are not notified when it fails. */
  readonly withoutFailures: readonly string[];
  /** Whether files own one that is notified of failures, and has no tick here. */
  readonly hasOfFiles: boolean;
}

export interface NotifiedNames extends ChannelHearing {
  readonly choices: readonly Choice[];
  readonly ticked: readonly string[];
}

/** Who is notified of a monitor as its form has it. A script says it again when a box changes, with the words that are here. */
export function notifiedNote(all: NotifiedNames): Html {
  const { hasChannel, unticked, withoutFailures, choices } = all;
  if (!hasChannel) return html`${words.nowhere}`;
  if (choices.length === 0 && unticked.length > 0) return html`${ofAll(unticked)}`;
  const none = noneOf(all);
  return html`<span
      data-notified="${JSON.stringify(unticked)}"
      data-without-failures="${JSON.stringify(withoutFailures)}"
      data-shown="${namesShown}"
      data-none="${none}"
      data-one="${words.one}"
      data-many="${words.many}"
      >${notifiedSentence(all)}</span
    >${unticked.length === 0 ? null : ` ${forAll(unticked)}`}`;
}

const words = {
  nowhere: "There is no channel yet, so no one is notified when it fails.",
  noFailures: "No channel takes its failures, so no one is notified when it fails.",
  none: "No one is notified when it fails: tick a channel.",
  untickable: "No one is notified when it fails.",
  one: "is notified when it fails.",
  many: "are notified when it fails.",
} as const;

/** The sentence alone. */
export function notifiedSentence(all: NotifiedNames): string {
  const { hasChannel, unticked, withoutFailures, choices, ticked } = all;
  if (!hasChannel) return words.nowhere;
  const chosen = choices
    .filter(([id]) => ticked.includes(id) && !withoutFailures.includes(id))
    .map(([, name]) => name);
  return sentence([...unticked, ...chosen], noneOf(all));
}

const noneOf = ({
  withoutFailures,
  choices,
  hasOfFiles,
}: Pick<NotifiedNames, "withoutFailures" | "choices" | "hasOfFiles">): string => {
  if (choices.some(([id]) => !withoutFailures.includes(id))) return words.none;
  return hasOfFiles ? words.untickable : words.noFailures;
};

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
export function listed(names: readonly string[]): string {
  const rest = names.length - namesShown;
  const all = rest > 0 ? [...names.slice(0, namesShown), `${rest} more`] : names;
  const [last = ""] = all.slice(-1);
  return all.length === 1 ? last : `${all.slice(0, -1).join(", ")} and ${last}`;
}
