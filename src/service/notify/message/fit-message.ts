import type { Message } from "#service/notify/message/message";
import { cutText } from "#base/text";

/**
 * A message that fits its provider: cut from the end of the reason first, then of the lines, the note and the facts.
 * Title and links stay. `size` says how much a message takes, and `max` is what the provider takes.
 */
export function fitMessage(
  message: Message,
  size: (message: Message) => number,
  max: number,
): Message {
  return pieces.reduce((fitting, { length, cut }) => {
    if (size(fitting) <= max) return fitting;
    let [fits, tooMuch] = [0, length(fitting)];
    while (tooMuch - fits > 1) {
      const middle = Math.floor((fits + tooMuch) / 2);
      if (size(cut(fitting, middle)) <= max) fits = middle;
      else tooMuch = middle;
    }
    return cut(fitting, fits);
  }, message);
}

interface Piece {
  readonly length: (message: Message) => number;
  readonly cut: (message: Message, length: number) => Message;
}

const shortened = (text: string, length: number): string =>
  length === 0 ? "" : cutText(text, length);

const pieces: readonly Piece[] = [
  {
    length: ({ reason }) => reason.length,
    cut: (message, length) => ({ ...message, reason: shortened(message.reason, length) }),
  },
  {
    length: ({ lines }) => lines.length,
    cut: (message, length) => ({ ...message, lines: message.lines.slice(0, length) }),
  },
  {
    length: ({ note }) => note.length,
    cut: (message, length) => ({ ...message, note: shortened(message.note, length) }),
  },
  {
    length: ({ facts }) => facts.length,
    cut: (message, length) => ({ ...message, facts: message.facts.slice(0, length) }),
  },
];
