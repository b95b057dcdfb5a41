import type { Choice } from "#check/form-field";
import { html, type Html } from "#web/page/html";
import type { FixedBox } from "#service/operator/forms/shown-form";
import { listed, type NotifiedNames, notifiedNote } from "#service/operator/monitors/notified-note";

/*
 * What the form of a monitor says of locations and channels that files own. Files say all that such a location runs, so the
 * next apply would take away what a page gave it.
 */

type Place = "locations" | "notifications";

interface Places {
  readonly choices: Readonly<Record<Place, readonly Choice[]>>;
  readonly fixed: Readonly<Record<Place, readonly FixedBox[]>>;
}

/** What is to be known of the lists of a form, by the names of their fields. Of a monitor of files the form says that once, above. */
export function placeNotes(
  owner: string,
  { choices, fixed }: Places,
  notified: NotifiedNames,
): Readonly<Record<string, Html>> {
  const heard = notifiedNote(notified);
  if (owner !== "") return { notifications: heard };
  const { locations, notifications } = fixed;
  return {
    ...(locations.length === 0
      ? {}
      : { locations: locationsNote(locations, choices.locations.length > 0) }),
    notifications: html`${heard}${notifications.length === 0 ? null : channelsNote(notifications)}`,
  };
}

function locationsNote(fixed: readonly FixedBox[], hasChoice: boolean): Html {
  const { which, them, it } = worded(fixed);
  if (hasChoice) return html`${which} to files, which say what ${it} checks.`;
  return html`${which} to files: a monitor made here cannot be given to ${them}. Add it to the
    files, or <a href="/locations/new">make a location</a> here.`;
}

function channelsNote(fixed: readonly FixedBox[]): Html {
  const { which, it } = worded(fixed);
  return html` ${which} to files, which say what ${it} is notified of.`;
}

function worded(fixed: readonly FixedBox[]) {
  const names = listed(fixed.map(({ words }) => words));
  return fixed.length === 1
    ? { which: `${names} belongs`, them: "it", it: "it" }
    : { which: `${names} belong`, them: "them", it: "each" };
}
