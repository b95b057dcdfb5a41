import { html, type Html } from "#web/page/html";
import { counted } from "#web/page/format";
import { minuteOf, momentOf } from "#web/page/moment";
import { between, type EpochMillis } from "#base/units";
import { sessionUseNotedEvery } from "#limits/pages-limits";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { listHead } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { PageSessionRow } from "#service/store/people-store";

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
          <th scope="col"><span class="unseen">Acts</span></th>
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

const isThisOne = ({ session }: PageSessionRow, reader: KnownReader): boolean =>
  reader.kind === "signed in" && session === reader.session;

const sessionRow = (one: PageSessionRow, reader: KnownReader, now: EpochMillis): Html =>
  html`<tr>
    <th scope="row">${one.name}</th>
    <td data-label="Browser">${one.browser}</td>
    <td data-label="From">${one.address}</td>
    <td data-label="Signed in">${momentOf(one.startedAt)}</td>
    <td data-label="Last used">${isThisOne(one, reader) ? "now" : lastUse(one, now)}</td>
    <td data-label="">
      ${
        isThisOne(one, reader)
          ? html`<strong>this session</strong>`
          : html`<form method="post" action="/settings/sessions/${one.id}/end">
              <input type="hidden" name="form" value="${reader.formToken}" />
              <button
                type="submit"
                class="small"
                aria-label="End the session of ${one.name}, ${one.browser}, ${one.address}"
              >
                End
              </button>
            </form>`
      }
    </td>
  </tr>`;
