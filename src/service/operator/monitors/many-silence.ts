import { silencedMax } from "#limits/alerts-limits";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import {
  isOpen,
  type RefusedSilence,
  silenceFields,
  silenceWords,
} from "#service/operator/silence-form";

/* Silence for many monitors at once, which needs less than to change them. */

export const silenceManyPath = "/monitors/many/silence";

/** The part of the overview's bar that silences what is selected, of so many that are found; open if it was refused. */
export const silencePart = (found: number, refused: RefusedSilence | null): Html =>
  html`<details name="many" class="drop silencing" ${isOpen(refused)}>
    <summary class="button">Silence</summary>
    <div class="together dropped">
      ${silenceFields(refused, silenceManyPath)} ${silenceWords("the selected monitors")}
      ${found > silencedMax ? html`<p class="words">${grouped(found)} match: ${silencedMost}</p>` : null}
    </div>
  </details>`;

/** What to do if they are more. */
export const silencedMost: string = `one silence is for ${grouped(silencedMax)} monitors at most. Search for fewer, or silence a location on its page.`;
