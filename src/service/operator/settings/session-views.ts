import { html, type Html } from "#web/page/html";
import { counted } from "#web/page/format";
import { minuteOf, momentOf } from "#web/page/moment";
import { between, type EpochMillis } from "#base/units";
import { sessionUseNotedEvery } from "#limits/pages-limits";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { removalView } from "#service/operator/deleting/removal-view";
import { listHead } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { PageSessionRow } from "#service/store/people-store";

export const sessionsPath = "/settings/sessions";

interface SessionsPage {
  readonly sessions: readonly PageSessionRow[];
  readonly now: EpochMillis;
  readonly reader: KnownReader;
  readonly notice: FormNotice | null;
}

/** Where people are signed in, this session first. */
export function sessionsView({ sessions, now, reader, notice }: SessionsPage): Html {
  const own = sessions.filter((one) => isOf(one, reader));
  const others = sessions.filter((one) => !isOf(one, reader));
  return html`${listHead({
    title: "Sessions",
    count: reader.kind === "local" ? null : counted(sessions.length, "session"),
    sentence:
      reader.kind === "local"
        ? "At this address no one signs in: the pages are open on this machine."
        : "A session that you do not know may be someone else's: end it, then change your password or revoke the key.",
    acts: null,
  })}
  ${noticeLine(notice)}
  ${
    reader.kind === "local"
      ? null
      : html`${sessionTable("Your sessions", own, reader, now)}
        ${own.length > 1 ? endOthers(reader) : null}`
  }
  ${
    others.length === 0 || !may(reader, "owner")
      ? null
      : html`<section aria-labelledby="others">
          <h2 id="others">Of other people</h2>
          ${sessionTable("Sessions of other people", others, reader, now)}
        </section>`
  }`;
}

const isOf = ({ who }: PageSessionRow, reader: KnownReader): boolean =>
  reader.kind === "signed in" && who === reader.who;

const endOthers = ({ formToken }: KnownReader): Html =>
  html`<form method="post" action="/settings/sessions/end-others" class="act">
    <input type="hidden" name="form" value="${formToken}" />
    <button type="submit">End all others</button>
  </form>`;

const sessionTable = (
  label: string,
  sessions: readonly PageSessionRow[],
  reader: KnownReader,
  now: EpochMillis,
): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table class="settled">
      <thead>
        <tr>
          <th scope="col">Who</th>
          <th scope="col">Browser</th>
          <th scope="col">From</th>
          <th scope="col">Signed in</th>
          <th scope="col">Last used</th>
          <th scope="col"><span class="unseen">Actions</span></th>
        </tr>
      </thead>
      <tbody>
        ${sessions.map((one) => sessionRow(one, reader, now))}
      </tbody>
    </table>
  </div>`;

/** Uses are written down some minutes apart: no more is said than is known. */
function lastUse({ at }: PageSessionRow, now: EpochMillis): Html {
  const known = sessionUseNotedEvery / 60_000;
  return between(at, now) < sessionUseNotedEvery
    ? html`in the last ${known} min`
    : html`${minuteOf(at)} or up to ${known} min later`;
}

/** A key is said to be one: a person may have had its name before. */
const nameOf = ({ who, name }: PageSessionRow): string =>
  who.startsWith("key ") ? `Key “${name}”` : name;

const isThisOne = ({ session }: PageSessionRow, reader: KnownReader): boolean =>
  reader.kind === "signed in" && session === reader.session;

const sessionRow = (one: PageSessionRow, reader: KnownReader, now: EpochMillis): Html =>
  html`<tr>
    <th scope="row">${nameOf(one)}</th>
    <td data-label="Browser">${one.browser}</td>
    <td data-label="From">${one.address}</td>
    <td data-label="Signed in">${momentOf(one.startedAt)}</td>
    <td data-label="Last used">${isThisOne(one, reader) ? "now" : lastUse(one, now)}</td>
    <td data-label="">
      ${
        isThisOne(one, reader)
          ? html`<strong>this session</strong>`
          : html`<a
              class="button small"
              href="${sessionsPath}/${one.id}/end"
              aria-label="End the session of ${nameOf(one)}, ${one.browser}, ${one.address}"
              >End</a
            >`
      }
    </td>
  </tr>`;

/** Asks once: a session that a person knows is not ended by a slip. */
export const endView = (one: PageSessionRow, reader: KnownReader, now: EpochMillis): Html =>
  removalView({
    reader,
    back: { path: sessionsPath, words: "Sessions" },
    title: `End the session of ${nameOf(one)}?`,
    facts: [
      ["Browser", one.browser],
      ["From", one.address],
      ["Signed in", momentOf(one.startedAt)],
      ["Last used", lastUse(one, now)],
    ],
    effects: [
      "Its browser is signed out at once, and has to sign in again.",
      "A form that is sent from there later is kept until the same person signs in again.",
    ],
    undo: "Whoever knows the password or has the key can sign in again. If you do not know the session, change the password or revoke the key, too.",
    action: `${sessionsPath}/${one.id}/end`,
    button: "End the session",
  });
