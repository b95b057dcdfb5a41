import { silencedMax } from "#limits/alerts-limits";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { seeOther } from "#service/edge/page-answer";
import { changedPage } from "#service/operator/monitors/many-questions";
import { entered, isAsSeen, searchOf, selected } from "#service/operator/monitors/many-selection";
import { withPicks } from "#service/operator/monitors/picks";
import { type OperatorForm, withNotice } from "#service/operator/page-request";
import { silence, silenceFields, silenceWords } from "#service/operator/silence-form";

/* Silence for many monitors at once, which needs less than to change them. */

export const silenceManyPath = "/monitors/many/silence";

/** The part of the overview's bar that silences what is selected, of so many that are found. */
export const silencePart = (found: number): Html =>
  html`<details name="many" class="drop silencing">
    <summary class="button">Silence</summary>
    <div class="together dropped">
      ${silenceFields(silenceManyPath)} ${silenceWords("the selected monitors")}
      ${found > silencedMax ? html`<p class="words">${grouped(found)} match: ${silencedMost}</p>` : null}
    </div>
  </details>`;

/** What to do if they are more. */
export const silencedMost: string = `one silence is for ${grouped(silencedMax)} monitors at most. Search for fewer, or silence a location on its page.`;

/** `/monitors/many/silence`: nothing is sent about the selected monitors for a while. */
export const silenceManyForm: OperatorForm = {
  role: "responder",
  path: /^\/monitors\/many\/silence$/,
  act: async (context, request) => {
    const { form } = request;
    const back = searchOf(form);
    if (form.get("act") === entered) return seeOther(withPicks(withNotice(back, entered), form));
    const rows = await selected(context, request);
    if (rows.length === 0) return seeOther(withNotice(back, "none"));
    if (rows.length > silencedMax)
      return seeOther(withPicks(withNotice(back, `over.${rows.length}.0`), form));
    if (!isAsSeen(rows, form)) return changedPage(context, request, rows, asked);
    const ids = rows.map(({ id }) => id);
    const id = await silence(context.rooms, { kind: "monitor", ids }, request);
    const path = withPicks(withNotice(back, `silence.${ids.length}.0`), form);
    return seeOther(`${path}&silence=${id}`);
  },
};

const asked = { action: silenceManyPath, words: "Silence", isOfOurs: false } as const;
