import type { Message } from "#service/notify/message/message";
import { cutText } from "#base/text";

/**
 * A message as one segment of a text message: 160 characters that GSM's alphabet has. State, name and time stay, a short
 * link too; the reason gets what is left.
 */
export function phoneText({ brief, links, ...message }: Message): string {
  // Of many events the first names stand for the reason: the worst lead.
  const reason = message.reason || message.lines.map(({ lead }) => lead).join("; ");
  const link = links.find(({ url }) => url.length <= linkCharsMax)?.url ?? "";
  const tail = link === "" ? "" : ` ${link}`;
  const when = `, ${gsm(brief.since)}`;
  const room = segmentChars - tail.length - when.length;
  const name = brief.name === "" ? brief.state : `${brief.state}: ${brief.name}`;
  const head = cut(gsm(name), room) + when;
  const left = segmentChars - tail.length - head.length - 2;
  const why = left < reasonCharsMin || reason === "" ? "" : `. ${cut(gsm(reason), left)}`;
  return `${head}${why}${tail}`;
}

const segmentChars = 160;
/** That to the list of a few incidents is as long: `https://picket.example.com/incidents?numbers=4-9`. */
const linkCharsMax = 50;
/** Less of a sentence says nothing. */
const reasonCharsMin = 16;

/** The ellipsis is not in GSM's alphabet. */
const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${cutText(text, charsMax - 2).slice(0, -1)}...`;

/** The letters of ASCII that GSM 03.38 has as one character each; accents are taken off, and a dash or a minus is a hyphen. */
const gsm = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("`", "'")
    .replaceAll(/[–−]/g, "-")
    .replaceAll(/[[{]/g, "(")
    .replaceAll(/[\]}]/g, ")")
    .replace(/[^A-Za-z0-9 @!"#%&'()*+,\-./:;<=>?_$]/gu, "?");
