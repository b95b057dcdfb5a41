import { html, type Html } from "#web/page/html";
import { Refusal } from "#service/edge/call-refusal";
import { previewButton } from "#service/operator/message-preview";
import {
  colourWords,
  themeColours,
  withChosenTheme,
} from "#service/operator/publishing/look-fields";
import { faintNote, fieldOfPair } from "#service/operator/publishing/faint-notes";
import { definitionFrom, withOtherForms } from "#service/operator/publishing/status-page-fields";
import { scriptTag } from "#service/operator/script-tag";
import {
  faintPairs,
  type FaintPair,
  unknownColours,
} from "#service/status-site/view/faint-colours";
import type { PageDefinition } from "#service/status-page/page-definition";
import { pageFaults } from "#service/status-page/page-rules";
import type { StatusPageRow } from "#service/store/page-store";

/** What the form of the look says, and nothing else: it may be in an address. */
const isOfLook = ([name, value]: readonly [string, string]): boolean =>
  /^(theme$|custom_theme\.|configuration\.)/.test(name) && value !== "";

/** Where a page is shown with a look as it is typed. */
export function draftAddress({ id }: StatusPageRow, typed: URLSearchParams): string {
  const query = new URLSearchParams([...typed].filter(isOfLook));
  return `/status-pages/${id}/preview?${query.toString()}`;
}

/** A page with a look as it is typed; null as long as that cannot be saved. */
export function draftOf(row: StatusPageRow, typed: URLSearchParams): PageDefinition | null {
  try {
    const look = new URLSearchParams([...typed].filter(isOfLook));
    const draft = definitionFrom(withOtherForms("look", look, row), row.definition);
    const { theme, customTheme, configuration } = draft;
    const whole = { ...row.definition, theme, customTheme, configuration };
    return pageFaults(whole, row.sealed).length === 0 ? whole : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** How well the colours of a form can be read, and a button that shows them if no script may run. */
export const lookPreview = (row: StatusPageRow, typed: URLSearchParams): Html =>
  html`${lookPart(row, typed)}
    <button type="submit" name="${previewButton}" value="yes" data-instead="preview">
      Preview
    </button>
    ${scriptTag("preview")}`;

/** What follows the form while a person types; the frame of the preview, too. */
export function lookPart(row: StatusPageRow, typed: URLSearchParams): Html {
  const draft = draftOf(row, typed);
  return html`<div
    class="contrast"
    data-preview
    aria-live="polite"
    ${draft === null ? null : html` data-frame="${draftAddress(row, typed)}"`}
  >
    ${draft === null ? html`<p class="help">Contrast: not known until every colour can be used.</p>` : contrastWords(draft, typed)}
    ${themeColours(withChosenTheme(row.definition, typed)).map(
      ([field, colour]) =>
        html`<span hidden data-theme-colour="${field}" data-value="${colour}"></span>`,
    )}
  </div>`;
}

function contrastWords(page: PageDefinition, typed: URLSearchParams): Html {
  const [faint, unknown] = [faintPairs(page), unknownColours(page)];
  if (faint.length + unknown.length === 0)
    return html`<p class="help">Contrast: all text of the page is easy to read.</p>`;
  return html`${
    faint.length === 0
      ? null
      : html`<p>Hard to read:</p>
          <ul>
            ${faint.map(
              (pair) =>
                html`<li
                  data-at="${fieldOfPair(pair, typed)}"
                  data-note="${faintNote(pair, fieldOfPair(pair, typed))}"
                >
                  ${faintSentence(pair)}
                </li>`,
            )}
          </ul>`
  }
  ${unknown.length === 0 ? null : html`<p class="help">${unknownSentence(unknown)}</p>`}`;
}

/** `Contrast of “Text in light” is not known …` */
const unknownSentence = (colours: ReturnType<typeof unknownColours>): string =>
  `The contrast of ${colours.map(({ scheme, colour }) => `“${wordsOf(colour)} in ${scheme}”`).join(", ")} is not known: a colour is see-through, or in a form that is not read here. Check the preview, or use one such as #1c2719.`;

const faintSentence = ({ scheme, colour, ground, ratio, wanted }: FaintPair): string =>
  `${wordsOf(colour)} on ${wordsOf(ground).toLowerCase()} in ${scheme}: the contrast is ${Math.floor(ratio * 10) / 10} to 1, and needs ${wanted} to 1.`;

const wordsOf = (variable: string): string => colourWords.get(variable) ?? variable;
