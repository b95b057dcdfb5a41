import type { Choice, FormFields } from "#check/form-field";
import { html, type Html } from "#web/page/html";
import { choicesOf } from "#service/operator/form-fields";
import { boxForm, type RefusedForm } from "#service/operator/forms/box-form";
import { openGroup } from "#service/operator/forms/form-group";
import type { KnownReader } from "#service/operator/page-request";
import type { Picture } from "#service/operator/picture";
import { inNoGroup, partFields } from "#service/operator/publishing/component-forms";
import { batchChoices, offeredTo } from "#service/operator/publishing/monitor-batches";
import type { PageContent } from "#service/store/page-store";

/** What can be put on a page, by the word in its address that opens the form, and where the form is sent. */
const additionKinds = ["monitors", "parts", "groups"] as const;
export type AdditionKind = (typeof additionKinds)[number];

const menuWords: { readonly [K in AdditionKind]: string } = {
  monitors: "Monitors",
  parts: "Component without a monitor",
  groups: "Group",
};
const formWords: { readonly [K in AdditionKind]: { legend: string; submit: string } } = {
  monitors: { legend: "Add monitors", submit: "Add monitors" },
  parts: { legend: "Add a component without a monitor", submit: "Add component" },
  groups: { legend: "Add a group", submit: "Add group" },
};
const fieldsOf: {
  readonly [K in AdditionKind]: (content: PageContent, batches: readonly Choice[]) => FormFields;
} = {
  monitors: partFields.monitors,
  parts: partFields.part,
  groups: partFields.group,
};

interface Addition {
  readonly content: PageContent;
  readonly picture: Picture;
  readonly reader: KnownReader;
  readonly refused: RefusedForm | null;
  /** The form that is wanted; null: none is. */
  readonly added: AdditionKind | null;
  /** What was just moved has the focus; null: nothing was. */
  readonly moved: object | null;
}

/** An address that names a place has the cursor there. Only boxes to tick are gone to as a whole, others at their first field. */
const additionPath = (page: number, kind: AdditionKind): string =>
  `/status-pages/${page}?add=${kind}${kind === "monitors" ? "#add" : ""}`;

/** One button that offers what can be added. It works without a script. */
export const additionMenu = ({ page }: PageContent): Html =>
  html`<details class="act drop acts-menu adds">
    <summary class="button">Add</summary>
    <ul class="dropped">
      ${additionKinds.map(
        (kind) =>
          html`<li>
            <a class="button" href="${additionPath(page.id, kind)}">${menuWords[kind]}</a>
          </li>`,
      )}
    </ul>
  </details>`;

/** The one form that adds something: which was wanted or refused, or that of monitors while the page is empty. */
export function additionForm(addition: Addition): Html | null {
  const { content, refused, added } = addition;
  const path = `/status-pages/${content.page.id}`;
  const isEmpty = content.components.length === 0 && content.groups.length === 0;
  const kind =
    additionKinds.find((one) => refused?.action === `${path}/${one}`) ??
    added ??
    (isEmpty ? "monitors" : null);
  return kind === null ? null : formOf(kind, path, isEmpty, addition);
}

function formOf(
  kind: AdditionKind,
  path: string,
  isEmpty: boolean,
  { content, picture, reader, refused, added, moved }: Addition,
): Html {
  const offered = offeredTo(content, picture.monitors);
  const choices = {
    monitors: { monitors: choicesOf(offered) },
    parts: {},
    groups: { components: inNoGroup(content).map(({ id, name }): Choice => [String(id), name]) },
  };
  const { legend, submit } = formWords[kind];
  return html`<div
    class="adding"
    id="add"
    tabindex="-1"
    ${kind === "monitors" && added !== null && refused === null && moved === null ? html` autofocus` : null}
  >
    ${boxForm({
      reader,
      groups: [openGroup("", legend)],
      fresh: new URLSearchParams(),
      refused,
      basis: null,
      isNew: moved === null,
      action: `${path}/${kind}`,
      fields: fieldsOf[kind](content, batchChoices(offered)),
      choices: choices[kind],
      submit,
      ...(isEmpty && kind === "monitors" ? {} : { cancel: path }),
    })}
  </div>`;
}

/** The form that an address asks for; null: none. */
export const additionIn = (query: URLSearchParams): AdditionKind | null =>
  additionKinds.find((kind) => kind === query.get("add")) ?? null;
