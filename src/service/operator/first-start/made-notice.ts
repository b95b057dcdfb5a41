import type { MonitorDefinition } from "#check/definition";
import { rehearsalTarget } from "#service/operator/first-start/all-set-view";
import { html } from "#web/page/html";
import {
  isQuiet,
  type QuietableChannel,
  quietSentences,
} from "#service/operator/first-start/quiet-channels";
import { doneNotice, type FormNotice } from "#service/operator/form-notice";
import type { Picture } from "#service/operator/picture";

/** Where a person continues who made a monitor on the way: the address has what it was, for as long as the page shows it. */
export const withMade = (path: string, definition: MonitorDefinition): string =>
  `${path}${path.includes("?") ? "&" : "?"}made=${isRehearsal(definition) ? "rehearsal" : "monitor"}`;

const isRehearsal = (definition: MonitorDefinition): boolean =>
  definition.kind === "tcp" && definition.uri === rehearsalTarget;

/** What that page says of it, as it is by now; null if none was made. It is the newest. */
export function madeNotice(
  query: URLSearchParams,
  { monitors, at }: Pick<Picture, "monitors" | "at">,
  channels: readonly QuietableChannel[],
): FormNotice | null {
  const made = query.get("made");
  const newest = monitors.toSorted((a, b) => b.id - a.id)[0];
  if (newest === undefined || (made !== "rehearsal" && made !== "monitor")) return null;
  const { name, status, seenBy, unheard } = newest;
  const isNew = status === "unknown" && seenBy.length > 0;
  if (status === "inactive") return doneNotice(`${name} is made, and paused: nothing is checked.`);
  if (made === "monitor")
    return doneNotice(
      `${name} is made${isNew ? ": its first result comes in a few seconds" : ""}.`,
    );
  if (unheard)
    return {
      ...doneUnheard,
      words:
        "Rehearsal made: it fails in a few seconds, but no channel is notified of it. Choose one in its form.",
    };
  if (isQuiet(channels, at))
    return {
      words: html`Rehearsal made: it ${isNew ? "fails in a few seconds" : "fails, as it is to"}.
      ${quietSentences(channels, at).map((one) => html`${one} `)}`,
      isFault: false,
    };
  return doneNotice(
    isNew
      ? "Rehearsal made: it fails in a few seconds, and its first message comes in about 10 s."
      : "The rehearsal fails, as it is to: its message comes within seconds. Delete the monitor afterwards.",
  );
}

const doneUnheard = { isFault: false, isDoubtful: true } as const;
