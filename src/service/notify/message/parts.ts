import type { TroubleTimes } from "#service/notify/event-facts";
import type { Notice } from "#service/notify/event";
import type { Brief, Fact, Line, Link, Message, Tone } from "#service/notify/message/message";
import { plainText } from "#service/notify/message/plain";
import { fromTo } from "#service/notify/message/times";

/* The parts that messages of every kind are made of. */

/** A message with nothing but its first words. */
export const spoken = (tone: Tone, state: string, name: string): Omit<Message, "brief"> => ({
  tone,
  title: `${state}: ${plainText(name)}`,
  reason: "",
  facts: [],
  lines: [],
  note: "",
  links: [],
  acknowledgeUrl: null,
});

export const briefly = (state: string, name: string, since: string): Brief => ({
  state,
  name: plainText(name),
  since,
});

/** A fact that is known. */
export const fact = (name: string, value: string | null): readonly Fact[] =>
  value === null || value === "" ? [] : [{ name, value }];

/** Those links that there are. */
export const linksOf = (...links: readonly (readonly [string, string | null])[]): readonly Link[] =>
  links.flatMap(([label, url]) => (url === null ? [] : [{ label, url }]));

export const timesWords = (times: number): string => (times === 1 ? "once" : `${times} times`);

/** `down 3 times`, `slow once`, or `down once, slow 2 times`. */
export const oftenWords = ({ down, slow }: TroubleTimes): string =>
  [
    ...(down === 0 ? [] : [`down ${timesWords(down)}`]),
    ...(slow === 0 ? [] : [`slow ${timesWords(slow)}`]),
  ].join(", ");

/** A line that leads nowhere. */
export const unlinked = (text: string): Line => ({ lead: text, rest: "", url: null });

export const lineText = ({ lead, rest }: Line): string => `${lead}${rest}`;

/** For what has no links within a text. */
export const lineWithAddress = (line: Line): string =>
  line.url === null ? lineText(line) : `${lineText(line)} ${line.url}`;

/** The link that acknowledges, if there is one. */
export const acknowledgeLink = ({
  acknowledgeUrl,
  acknowledgeLabel = "Acknowledge",
}: Pick<Message, "acknowledgeUrl" | "acknowledgeLabel">): readonly Link[] =>
  linksOf([acknowledgeLabel, acknowledgeUrl]);

/** For those providers that may acknowledge. */
export const linksWithAcknowledge = (
  message: Pick<Message, "links" | "acknowledgeUrl" | "acknowledgeLabel">,
): readonly Link[] => [...message.links, ...acknowledgeLink(message)];

/** `a, b and 3 more`. */
export function firstOf(names: readonly string[], count: number): string {
  const shown = names.slice(0, shownNames).map((name) => plainText(name, shownNameChars));
  const more = Math.max(0, count - shown.length);
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}

const shownNames = 5;
const shownNameChars = 40;

/** Why a message comes later than what it says. */
export function lateness({ late }: Notice, timeZone: string): readonly Fact[] {
  if (late === null) return [];
  const when = fromTo(late.from, late.to, timeZone);
  const name = plainText(late.name);
  switch (late.away) {
    case "service":
      return fact("Late", `the service was stopped from ${when}`);
    case "location":
      return fact("Late", `${name} was cut off from ${when}`);
    case "sight":
      return fact("Late", `it may have begun while ${name} could not see, ${when}`);
    case "channel":
      return fact("Late", `this channel took no messages from ${when}`);
    case "quiet-hours":
      return fact("Late", `quiet hours of this channel delayed it from ${when}`);
    case "silence":
      return fact("Late", `a silence delayed it from ${when}`);
    case "pace":
      return fact(
        "Late",
        `the provider limits how many messages it takes: this one waited from ${when}`,
      );
  }
}
