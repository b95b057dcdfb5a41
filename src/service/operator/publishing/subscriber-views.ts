import { type FormFields, column } from "#check/form-field";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { choicesOf } from "#service/operator/form-fields";
import { boxForm, type RefusedForm } from "#service/operator/forms/box-form";
import { openGroup } from "#service/operator/forms/form-group";
import type { FormNotice } from "#service/operator/form-notice";
import { mailServerStep } from "#service/operator/settings/mail-link";
import { may } from "#service/operator/roles";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { pagingNav } from "#service/operator/paging-nav";
import { subscriberLine } from "#service/operator/publishing/subscriber-line";
import type { FoundSubscribers } from "#service/operator/publishing/subscribers/found-subscribers";
import { subscriberChoices } from "#service/operator/publishing/subscribers/subscriber-choices";
import {
  isNarrowed,
  type SubscribersShown,
  subscribersAddress,
} from "#service/operator/publishing/subscribers/subscriber-query";
import { tabbedPage } from "#service/operator/publishing/page-tabs";
import {
  type SubscriberCount,
  subscriberWords,
} from "#service/operator/publishing/subscriber-count";
import type { PageContent } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

/** What is missing before news can be sent: an address for their links, or of mails a server; null if nothing is. */
export type SendHindrance = "address" | "mail server" | null;

/** A new subscriber. `webhook_url` is what refusals call where the news go. */
export const subscriberFields: FormFields<"webhook_url" | "name" | "components"> = {
  webhook_url: column(
    "Webhook URL or e-mail address",
    { is: "address", grows: true },
    "Several addresses may be pasted, in lines or after commas. The URL of Slack, Discord, Google Chat or Microsoft Teams gets a message, any other one signed JSON. If it begins with http://, messages can be read on the way: use https:// if the receiver has it. An address gets mails without a confirmation: its owner has to agree. One that unsubscribed is sent a mail first, which asks for that.",
  ),
  name: column("Name (optional)", { is: "text", width: "name" }),
  components: column("Only about", { is: "several" }, "None ticked: the whole page."),
};

/** Without a mail server, there is no address to type. */
const webhookAlone = column(
  "Webhook URL",
  { is: "address" },
  "The URL of Slack, Discord, Google Chat or Microsoft Teams gets a message, any other one signed JSON. If it begins with http://, messages can be read on the way: use https:// if the receiver has it.",
);

/** A page with one component has none to choose. */
export const subscriberFieldsOf = (
  { components }: PageContent,
  hindrance: SendHindrance,
): FormFields => {
  const { components: several, ...typed } = subscriberFields;
  const always = hindrance === "mail server" ? { ...typed, webhook_url: webhookAlone } : typed;
  return components.length < 2 ? always : { ...always, components: several };
};

interface SubscriberPage {
  readonly content: PageContent;
  /** Those that are asked for. */
  readonly found: FoundSubscribers;
  readonly asked: SubscribersShown;
  readonly at: EpochMillis;
  readonly refused: RefusedForm | null;
  /** Whether the form that adds one is wanted. */
  readonly isAdding: boolean;
  readonly reader: KnownReader;
  readonly notice: FormNotice | null;
  readonly hindrance: SendHindrance;
  /** The signing secret of one that was just added; null: none is shown. */
  readonly secret: Html | null;
}

/** Who gets a page's news, whether it arrives, and a form that adds one. */
export function subscriberView(view: SubscriberPage): Html {
  const { content, reader, notice } = view;
  const { count } = view.found;
  const isEmpty = isWithout(count);
  const isOpen = view.isAdding || view.refused !== null || isEmpty;
  const { page } = content;
  const path = `/status-pages/${page.id}`;
  const list = html`${view.secret}
    <section aria-labelledby="subscribers">
      <div class="section-head">
        <h2 id="subscribers">Who gets the page's news</h2>
        ${mayChange(reader) && !isOpen ? additionLink(path) : null}
      </div>
      ${mayChange(reader) && isOpen && !isEmpty ? additionForm(view) : null}
      <p class="advice">
        ${isEmpty ? "No subscriber yet." : `${subscriberWords(count)}.`} Subscribers get a report or
        planned work if “Send it to the subscribers of the page” is ticked there.
      </p>
      ${foundList(view, `${path}/subscribers`)}
    </section>
    ${mayChange(reader) && isEmpty ? additionForm(view) : null}`;
  return tabbedPage({
    row: page,
    isEmpty: content.components.length === 0,
    tab: "subscribers",
    reader,
    notice,
    content: list,
    preview: null,
  });
}

const isWithout = ({ confirmed, unconfirmed, ended }: SubscriberCount): boolean =>
  confirmed + unconfirmed + ended === 0;

/** Those that are asked for, with the ways to others and to all of them as a file. */
function foundList(view: SubscriberPage, path: string): Html {
  const { found, asked, reader } = view;
  const { subscribers, matched, states, count } = found;
  const isNarrow = isNarrowed(asked);
  if (isWithout(count) && states.unsubscribed === 0 && !isNarrow)
    return emptyAdvice(view.hindrance);
  const seesAddresses = mayChange(reader);
  return html`${subscriberChoices({ path, shown: asked, states, seesAddresses })}
  ${
    matched === 0
      ? html`<p class="advice">${isNarrow ? "There is no such subscriber." : null}</p>`
      : html`<ul class="watched incidents">
          ${subscribers.map((one) => subscriberLine(one, view))}
        </ul>`
  }
  ${pagingNav({
    label: "More subscribers",
    offset: asked.offset,
    size: limits.subscribersListed,
    matched,
    to: (offset) => subscribersAddress(path, { ...asked, offset }),
  })}
  ${
    seesAddresses && matched > 0
      ? html`<p class="acts">
          <a
            class="button"
            href="${subscribersAddress(`${path}.csv`, { ...asked, offset: 0 })}"
            download
            >Export as CSV</a
          >
        </p>`
      : null
  }`;
}

/** Whether readers can subscribe themselves. */
const emptyAdvice = (hindrance: SendHindrance): Html =>
  html`<p class="advice">
    ${
      hindrance === null
        ? "Readers subscribe on the page itself. Add chats and programs here."
        : "Readers cannot subscribe on the page yet, so it offers them only its feeds."
    }
  </p>`;

/** What a person has to do first, before the form. */
function hindranceNote({ hindrance, reader, content: { page } }: SubscriberPage): Html | null {
  if (hindrance === null) return null;
  if (hindrance === "mail server")
    return html`<p class="advice">
      Only webhooks can be added, because mail needs a server.
      ${mailServerStep(reader, `/status-pages/${page.id}/subscribers`)}, so that readers can
      subscribe on the page and addresses can be added here.
    </p>`;
  const give = "the service’s address in Settings → Service";
  return html`<p class="advice">
    No news can be sent yet: its links need an address.
    ${may(reader, "owner") ? html`<a href="/settings/service">Give ${give}</a>` : `Ask an owner to give ${give}`},
    or <a href="/status-pages/${page.id}/settings">give this page a domain</a>.
  </p>`;
}

/** Opens the form. */
const additionLink = (path: string): Html =>
  html`<p class="act">
    <a class="button" href="${path}/subscribers?add=subscriber">Add subscriber</a>
  </p>`;

/** The form is there once it is wanted or was refused, and as long as the list is empty. */
function additionForm(view: SubscriberPage): Html | null {
  const { content, refused, reader, hindrance } = view;
  const action = `/status-pages/${content.page.id}/subscribers`;
  const isLocked = hindrance === "address";
  const boxFocus = isLocked && view.isAdding ? html` autofocus` : null;
  return html`${hindranceNote(view)}
    <div class="adding" id="add" tabindex="-1" ${boxFocus}>
      ${boxForm({
        action,
        reader,
        fields: subscriberFieldsOf(content, hindrance),
        groups: [openGroup("", "Add a subscriber")],
        choices: { components: choicesOf(content.components) },
        fresh: new URLSearchParams(),
        refused,
        isLocked,
        isNew: view.isAdding,
        basis: null,
        submit: "Add subscriber",
        ...(isWithout(view.found.count) ? {} : { cancel: action }),
      })}
    </div>`;
}
