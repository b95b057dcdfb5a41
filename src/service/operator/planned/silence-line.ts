import { remainingLength } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import { pausedMark } from "#web/page/verdict-mark";
import type { Silence } from "#service/alerting/silence";
import { ownForm } from "#service/operator/form-fields";
import type { KnownReader } from "#service/operator/page-request";
import type { Picture } from "#service/operator/picture";
import { coveredNames, coveredWords } from "#service/operator/planned/covered-names";
import { extensionForm } from "#service/operator/planned/extensions";
import { may } from "#service/operator/roles";
import type { EpochMillis } from "#base/units";

/** A silence in the list of what is now: what it is about, until when, whose it is, and an end or a later one. */
export const silenceLine = (
  silence: Silence,
  picture: Picture,
  reader: KnownReader,
  at: EpochMillis,
): Html =>
  html`<li class="planned-row">
    ${pausedMark("Silenced")}
    <div class="what">
      <h3>Silence by ${silence.by}</h3>
      ${silence.reason === "" ? null : html`<p class="said-text">${silence.reason}</p>`}
    </div>
    <div class="when">
      <p>${remainingLength(at, silence.until)} left</p>
      <p class="kind">Until ${minuteOf(silence.until)}</p>
    </div>
    <p class="affects">${coveredNames(silence, picture)}</p>
    ${may(reader, "responder") ? acts(silence.id, coveredWords(silence, picture), reader) : null}
  </li>`;

const acts = (id: number, what: string, reader: KnownReader): Html =>
  html`<div class="acts">
    ${ownForm(
      `/silences/${id}/end`,
      reader,
      html`<input type="hidden" name="back" value="/maintenances" />
        <button type="submit" aria-label="End now: silence of ${what}">End now</button>`,
    )}
    ${extensionForm(`/silences/${id}/extend`, reader, `silence of ${what}`)}
  </div>`;
