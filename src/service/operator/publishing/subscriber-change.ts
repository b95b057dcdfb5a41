import type { FormFields } from "#check/form-field";
import { html, type Html } from "#web/page/html";
import { refuseName } from "#service/api/subscriber-calls";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { choicesOf } from "#service/operator/form-fields";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { onlyGroup } from "#service/operator/forms/box-form";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { formView } from "#service/operator/forms/form-view";
import { refuseGone } from "#service/operator/gone-choices";
import {
  framed,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import {
  shownSubscriber,
  subscriberAt,
  subscribersPath,
} from "#service/operator/publishing/subscriber-removal";
import { partWords, subscriberTitle } from "#service/operator/publishing/subscriber-line";
import { subscriberFields } from "#service/operator/publishing/subscriber-views";
import {
  listField,
  listIn,
  listText,
  type SubscribersShown,
  subscribersShownIn,
} from "#service/operator/publishing/subscribers/subscriber-query";
import { noSubscriber } from "#service/status-site/page-refusals";
import type { PageContent, StatusPageRow } from "#service/store/page-store";
import type { SubscriberRow } from "#service/store/subscriber-store";
import { epochMillis, type EpochMillis } from "#base/units";

const path = /^\/status-pages\/(?<id>\d{1,15})\/subscribers\/(?<part>\d{1,15})\/edit$/;

/** `/status-pages/ID/subscribers/ID/edit`: what a subscriber is called, and what it is about. */
export const subscriberChangePage: OperatorPage = {
  role: "editor",
  path,
  answer: async (context, { id, part, query, reader }) => {
    const changed = await changedAt(context, id, part);
    const { row } = changed;
    const parts = (row.components ?? []).map((one) => ["components", String(one)]);
    const typed = new URLSearchParams([["name", row.name], ...parts]);
    return shown(context, reader, changed, {
      state: { typed, mistakes: [] },
      notice: null,
      status: 200,
      list: subscribersShownIn(query, true),
    });
  },
};

export const subscriberChangeForm: OperatorForm = {
  role: "editor",
  path,
  act: async (context, { id, part, reader, form }) => {
    const changed = await changedAt(context, id, part);
    const { page, row, content } = changed;
    const list = listIn(form);
    return submitted(form, {
      fields: fieldsOf(content),
      again: (state, status) => {
        const seen = form.get(seenName) ?? "";
        return shown(context, reader, changed, { state, notice: null, status, seen, list });
      },
      act: async (typed) => {
        const name = typed.get("name")?.trim() ?? "";
        refuseName(name);
        const components = await componentsIn(context, typed, changed);
        const outcome = await context.rooms.readers.change(row, {
          name,
          components,
          seen: seenIn(form) ?? row.updatedAt,
          words: {
            before: partWords(row.components, content),
            after: partWords(components, content),
          },
        });
        if (outcome === "changed")
          return seeOther(withNotice(subscribersPath(page, list), "changed"));
        if (outcome === "gone") throw noSubscriber(part);
        const now = await changedAt(context, id, part);
        const state = { typed, mistakes: [] };
        return shown(context, reader, now, { state, notice: overtaken(now), status: 409, list });
      },
    });
  },
};

interface ChangedSubscriber {
  readonly page: StatusPageRow;
  readonly row: SubscriberRow;
  readonly content: PageContent;
}

async function changedAt(
  { rooms }: PageContext,
  id: string,
  part: string,
): Promise<ChangedSubscriber> {
  const { page, row } = await subscriberAt(rooms, id, part);
  return { page, row, content: await rooms.statusPages.content(page.id) };
}

/** A page with one component has none to choose. */
const fieldsOf = ({ components: all }: PageContent): FormFields => {
  const { name, components } = subscriberFields;
  return all.length < 2 ? { name } : { name, components };
};

/** Without a choice, it stays about what it was about. */
async function componentsIn(
  { rooms }: PageContext,
  typed: URLSearchParams,
  { page, row, content }: ChangedSubscriber,
): Promise<readonly number[] | null> {
  if (content.components.length < 2) return row.components;
  const ids = typed.getAll("components");
  refuseGone("components", ids, content.components);
  const chosen = await rooms.statusPages.componentsAmong(page.id, ids);
  return chosen.length === 0 ? null : chosen;
}

/** The next press of the button writes over what is said here. */
const overtaken = ({ row, content }: ChangedSubscriber): FormNotice => ({
  words: `Not saved: the subscriber was changed meanwhile. ${
    row.name === "" ? "It now has no name" : `It is now called “${row.name}”`
  } and gets news about ${partWords(row.components, content)}. To save what you typed instead, press the button again.`,
  isFault: true,
});

const seenName = "seen";

/** The version that the form showed; null if it names none. What is not an instant was never shown. */
function seenIn(form: URLSearchParams): EpochMillis | null {
  const text = form.get(seenName);
  if (text === null) return null;
  return epochMillis(/^\d{1,15}$/.test(text) ? Number(text) : 0);
}

interface SaidOfChange {
  readonly state: FormState;
  readonly notice: FormNotice | null;
  readonly status: number;
  /** The version that a form showed which comes back; left out: what is saved now is shown. */
  readonly seen?: string;
  /** The list that a person came from. */
  readonly list: SubscribersShown;
}

async function shown(
  { rooms }: PageContext,
  reader: KnownReader,
  { page, row, content }: ChangedSubscriber,
  said: SaidOfChange,
): Promise<PageAnswer> {
  const { title } = subscriberTitle(shownSubscriber(rooms, row, reader));
  const back = subscribersPath(page, said.list);
  const { state, seen = String(row.updatedAt), list } = said;
  const hidden = { [seenName]: seen, [listField]: listText(list) };
  return framed(
    { reader },
    {
      title: `Change a subscriber · ${page.definition.title} · Picket`,
      section: "status pages",
      document: null,
      at: rooms.clock.wall(),
      content: html`${backLink(page, back)}
        <h1 class="page">Change the subscriber ${title}</h1>
        ${noticeLine(said.notice)}
        ${formView({
          action: `${subscribersPath(page)}/${row.id}/edit`,
          reader,
          fields: fieldsOf(content),
          groups: onlyGroup,
          state,
          choices: { components: choicesOf(content.components) },
          hidden,
          lead: null,
          isLocked: false,
          submit: "Save the subscriber",
          cancel: back,
          extra: null,
          actions: null,
        })}`,
    },
    said.status,
  );
}

const backLink = ({ definition }: StatusPageRow, back: string): Html =>
  html`<p class="back"><a href="${back}">Subscribers of ${definition.title}</a></p>`;
