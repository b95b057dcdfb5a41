import { capital } from "#base/text";
import { html, type Html } from "#web/page/html";

/** A form that was not taken, with what a person typed into it. */
export interface TypedForm {
  readonly action: string;
  readonly form: URLSearchParams;
}

/** What was typed, so that it is not lost: to be sent again with this token, or to be copied where that is null. */
export const keptFields = (
  typed: TypedForm,
  formToken: string | null,
  words = "Send it again",
): Html | null => (formToken === null ? copied(typed) : sentAgain(typed, formToken, words));

/** All that was typed, to be sent again with this token. */
export function hiddenFields(form: URLSearchParams, formToken: string): Html {
  const fields = [...form].filter(([name]) => name !== tokenName);
  return html`<input type="hidden" name="${tokenName}" value="${formToken}" />
    ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
}

function sentAgain({ action, form }: TypedForm, formToken: string, words: string): Html {
  const shown = keptTexts(form);
  return html`<form method="post" action="${action}" class="kept">
    ${hiddenFields(form, formToken)}
    <p class="advice">What you typed is kept on this page${shown === null ? "." : ":"}</p>
    ${shown}
    <button type="submit" class="main">${words}</button>
  </form>`;
}

const copied = ({ form }: TypedForm): Html | null => {
  const shown = keptTexts(form);
  return shown === null
    ? null
    : html`<section aria-labelledby="kept">
        <h2 id="kept">What you typed</h2>
        ${shown}
      </section>`;
};

/** Texts that people write. Everything else may be a secret, and is short. */
export function keptTexts(form: URLSearchParams): Html | null {
  const written = [...form].filter(([name, value]) => textNames.has(name) && value.trim() !== "");
  if (written.length === 0) return null;
  return html`<dl class="facts kept-texts">
    ${written.map(
      ([name, value]) =>
        html`<dt>${capital(name)}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

const tokenName = "form";
const textNames: ReadonlySet<string> = new Set([
  "title",
  "name",
  "address",
  "message",
  "comment",
  "description",
  "reason",
]);
