import { html, type Html } from "#web/page/html";
import { span } from "#web/page/format";
import {
  isQuiet,
  type QuietableChannel,
  quietSentences,
} from "#service/operator/first-start/quiet-channels";
import * as limits from "#limits/pages-limits";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { locationMark, statusMark } from "#service/operator/status-mark";

/** What a service that is complete watches, from where, and who hears of it. */
export interface AllSet extends Pick<Picture, "monitors" | "locations" | "at"> {
  readonly channels: readonly QuietableChannel[];
}

/** All steps are done: what is watched now, what happens next, how to see it happen, and what else there is. */
export const allSetView = (set: AllSet): Html =>
  html`<ol
      class="steps"
      ${waitsForResult(set) ? html` data-renew-every="${limits.waitingLookEvery}"` : null}
    >
      ${watched(set.monitors)} ${checkedFrom(set.locations)} ${notified(set.channels)}
    </ol>
    ${whatHappens(set)} ${rehearsal(set)} ${further}`;

/** What was just made has its first result within seconds. */
const waitsForResult = ({ monitors, locations }: AllSet): boolean =>
  locations.length > 0 && monitors.some(({ status }) => status === "unknown");

/** What was just made is among those that are shown, e.g. a rehearsal, and then what fails. */
function watched(monitors: AllSet["monitors"]): Html {
  const newest = Math.max(...monitors.map(({ id }) => id));
  const rank = ({ id, status }: PicturedMonitor): number =>
    id === newest ? 2 : Number(status === "error");
  return html`<li class="card">
    <h2>Watched</h2>
    <ul class="set-list">
      ${monitors
        .toSorted((a, b) => rank(b) - rank(a))
        .slice(0, limits.setThingsShown)
        .map(
          ({ id, name, status }) =>
            html`<li>${statusMark(status)} <a href="/monitors/${id}">${name}</a></li>`,
        )}
    </ul>
    <p><a class="button" href="/monitors/new?next=/start">Create monitor</a></p>
  </li>`;
}

const checkedFrom = (locations: AllSet["locations"]): Html =>
  html`<li class="card">
    <h2>Checked from</h2>
    <ul class="set-list">
      ${locations
        .slice(0, limits.setThingsShown)
        .map(
          ({ id, name, state }) =>
            html`<li>${locationMark(state)} <a href="/locations/${id}">${name}</a></li>`,
        )}
    </ul>
    <p><a class="button" href="/locations/new?next=/start">Create location</a></p>
  </li>`;

const notified = (channels: AllSet["channels"]): Html =>
  html`<li class="card">
    <h2>Notified</h2>
    <ul class="set-list">
      ${channels
        .slice(0, limits.setThingsShown)
        .map(({ id, name }) => html`<li><a href="/channels/${id}">${name}</a></li>`)}
    </ul>
    <p><a class="button" href="/channels/new?next=/start">Create channel</a></p>
  </li>`;

const whatHappens = ({ monitors: [first], channels, at }: AllSet): Html =>
  html`<section aria-labelledby="next-happens">
    <h2 id="next-happens">What happens next</h2>
    <ol class="set-course">
      <li>${first === undefined ? "Each monitor is checked" : checkedWords(first)}.</li>
      <li>
        When it fails, an incident opens, and its channels get a message within seconds.
        ${quietSentences(channels, at).map((one) => html`${one} `)}
      </li>
      <li>After two good checks in a row the incident ends, with another message.</li>
    </ol>
  </section>`;

const checkedWords = ({ name, period }: PicturedMonitor): string =>
  `${name} is checked every ${span(period)}`;

/** A port where nothing listens. */
export const rehearsalTarget = "127.0.0.1:1";

/** It is filled into the form: the monitor fails as soon as it is saved. */
const failing = new URLSearchParams({
  kind: "tcp",
  paste: rehearsalTarget,
  name: "Rehearsal",
  next: "/start",
});

const rehearsal = ({ channels, at }: AllSet): Html =>
  html`<section aria-labelledby="rehearsal">
    <h2 id="rehearsal">See it happen</h2>
    <p class="words">
      A rehearsal is a monitor of a port at which nothing listens. It fails at its first check, and
      ${isQuiet(channels, at) ? "the message comes when the quiet hours end" : "the message comes"}.
      Delete it afterwards.
    </p>
    <p class="set-acts">
      <a class="button" href="/monitors/new?${failing.toString()}">Rehearse an outage</a>
      ${channels.slice(0, 1).map(({ id }) => html`<a class="button" href="/channels/${id}">Send a test message</a>`)}
    </p>
  </section>`;

const further = html`<section aria-labelledby="further">
  <h2 id="further">And then</h2>
  <ul class="cards set-further">
    <li class="card">
      <h3>On your phone</h3>
      <p class="words">
        <a href="/channels/new/ntfy?next=/start">ntfy</a>,
        <a href="/channels/new/telegram?next=/start">Telegram</a>,
        <a href="/channels/new/pagerduty?next=/start">PagerDuty</a> or
        <a href="/channels/new?next=/start">another way</a>
      </p>
    </li>
    <li class="card">
      <h3>For your customers</h3>
      <p class="words"><a href="/status-pages">A status page</a> shows them how things are.</p>
    </li>
    <li class="card">
      <h3>With your colleagues</h3>
      <p class="words">
        <a href="/settings">Settings</a> has accounts, roles and keys for programs.
      </p>
    </li>
  </ul>
</section>`;
