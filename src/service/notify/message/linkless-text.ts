import type { Message } from "#service/notify/message/message";
import { lineText } from "#service/notify/message/parts";
import * as limits from "#limits/alerts-limits";
import { cutText } from "#base/text";

/**
 * A message as it is kept next to its delivery, for people who ask later what it said: in the order in which providers
 * show it, and without links, because whoever has the one that acknowledges needs no key.
 */
export const linklessText = ({ title, reason, facts, lines, note }: Message): string =>
  cutText(
    [
      title,
      reason,
      ...facts.map(({ name, value }) => `${name}: ${value}`),
      ...lines.map(lineText),
      note,
    ]
      .filter((line) => line !== "")
      .join("\n"),
    limits.keptMessageTextCharsMax,
  );
