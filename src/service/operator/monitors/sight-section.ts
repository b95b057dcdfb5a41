import { between, type EpochMillis } from "#base/units";
import { span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { timedText } from "#service/operator/changes/timed-text";
import { heldFor } from "#service/operator/monitors/failed-for";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import type { Picture, PicturedMonitor, Sight } from "#service/operator/picture";
import { statusMark, statusWords } from "#service/operator/status-mark";

interface SightPage {
  readonly monitor: PicturedMonitor;
  /** Why a location does not check it at all. */
  readonly unchecked: ReadonlyMap<number, string>;
  readonly picture: Picture;
  readonly reader: KnownReader;
  readonly at: EpochMillis;
}

/** What each location last saw of a monitor, and why that says nothing of now. */
export function sightSection({ monitor, unchecked, reader, at, picture }: SightPage): Html {
  const { seenBy } = monitor;
  const isPaused = monitor.status === "inactive";
  const lines = seenBy.map((sight) => {
    const { location, name, status, slot, since, stale } = sight;
    const note = isPaused
      ? pausedNote(sight)
      : (unchecked.get(location) ?? staleNote(sight, picture));
    return html`<li>
      ${statusMark(isPaused ? "inactive" : status)}
      <span
        ><a href="/locations/${location}">${name}</a>
        ${isPaused || stale || slot === null ? null : heldFor(since, at)}</span
      >
      <span class="when">${slot === null ? "never" : `${span(between(slot, at))} ago`}</span>
      ${note === null ? null : html`<span class="note">${note}</span>`}
    </li>`;
  });
  return html`<section aria-labelledby="sights">
    <h2 id="sights">By location</h2>
    ${
      lines.length === 0
        ? html`<p class="advice">
            No location runs this monitor, so nothing checks it.
            ${
              mayChange(reader) && monitor.owner === ""
                ? html`<a href="/monitors/${monitor.id}/edit#field-locations"
                      >Choose where it runs</a
                    >.`
                : null
            }
          </p>`
        : html`<ul class="sights">
            ${lines}
          </ul>`
    }
  </section>`;
}

/** What a paused monitor was, which says nothing of now. */
const pausedNote = ({ status, slot }: Sight): string =>
  slot === null
    ? "was never checked here"
    : `was ${statusWords[status].toLowerCase()} at its last check`;

/** Why it says nothing of now: what is known of the location, else what it may be. */
function staleNote({ stale, location }: Sight, { locations }: Picture): Html | null {
  if (!stale) return null;
  const message = locations.find(({ id }) => id === location)?.state.message ?? "";
  return message === ""
    ? html`does not count: it is too old, or the location cannot see`
    : html`does not count: ${timedText(message)}`;
}
