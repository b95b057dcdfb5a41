import { type FormFields, column } from "#check/form-field";
import { counted, isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import * as limits from "#limits/pages-limits";
import { buttonForm, choicesOf } from "#service/operator/form-fields";
import { foldedForm, onlyGroup, type RefusedForm } from "#service/operator/forms/box-form";
import type { FormNotice } from "#service/operator/form-notice";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { pagingNav } from "#service/operator/paging-nav";
import { tabbedPage } from "#service/operator/publishing/page-tabs";
import type { PageContent } from "#service/store/page-store";
import type { SubscriberRow } from "#service/store/subscriber-store";
import { between, type EpochMillis } from "#base/units";

/** A subscriber with what may be shown of where its news go. */
export interface ShownSubscriber {
  readonly row: SubscriberRow;
  /** Empty if the reader may not see it, and so is where it goes. */
  readonly name: string;
  /** An address, or the host of a webhook. */
  readonly to: string;
}

/** A new subscriber. `webhook_url` is what refusals call where the news go. */
export const subscriberFields: FormFields<"webhook_url" | "name" | "components"> = {
  webhook_url: column(
    "Webhook URL or e-mail address",
    { is: "address" },
    "The URL of Slack, Discord, Google Chat or Microsoft Teams gets a message, any other one signed JSON. An address gets mails without a confirmation: its owner has to agree.",
  ),
  name: column("Name (optional)", { is: "text", width: "name" }),
  components: column("Only about", { is: "several" }, "None ticked: the whole page."),
};

/** A page with one component has none to choose. */
export const subscriberFieldsOf = ({ components }: PageContent): FormFields => {
  const { components: several, ...always } = subscriberFields;
  return components.length < 2 ? always : { ...always, components: several };
};

interface SubscriberPage {
  readonly content: PageContent;
  readonly subscribers: readonly ShownSubscriber[];
  readonly total: number;
  readonly offset: number;
  readonly at: EpochMillis;
  readonly refused: RefusedForm | null;
  readonly reader: KnownReader;
  readonly notice: FormNotice | null;
}

/** Who gets a page's news, whether it arrives, and a form that adds one. */
export function subscriberView(view: SubscriberPage): Html {
  const { content, subscribers, total, offset, reader, notice } = view;
  const { page } = content;
  const path = `/status-pages/${page.id}`;
  const list = html`<section aria-labelledby="subscribers">
      <h2 id="subscribers">Who gets the page's news</h2>
      <p class="advice">
        ${total === 0 ? "No subscriber yet." : `${counted(total, "subscriber")}.`} They get reports
        and planned work that ask for it.
      </p>
      ${
        total === 0
          ? html`<p class="advice">
              Readers subscribe on the page itself, if a mail server is set. Add chats and programs
              here.
            </p>`
          : html`<ul class="watched incidents">
              ${subscribers.map((one) => subscriberLine(one, view))}
            </ul>`
      }
      ${pagingNav({
        label: "More subscribers",
        offset,
        size: limits.subscribersListed,
        matched: total,
        to: (to) => `${path}/subscribers?offset=${to}`,
      })}
    </section>
    ${mayChange(reader) ? additionForm(view) : null}`;
  return tabbedPage({
    row: page,
    isEmpty: content.components.length === 0,
    tab: "subscribers",
    reader,
    notice,
    content: list,
    preview: `${path}/preview`,
  });
}

const additionForm = ({ content, refused, reader, total }: SubscriberPage): Html =>
  foldedForm(
    "Add a subscriber",
    {
      action: `/status-pages/${content.page.id}/subscribers`,
      reader,
      fields: subscriberFieldsOf(content),
      groups: onlyGroup,
      choices: { components: choicesOf(content.components) },
      fresh: new URLSearchParams(),
      refused,
      basis: null,
      submit: "Add subscriber",
    },
    { isOpen: total === 0 },
  );

function subscriberLine({ row, name, to }: ShownSubscriber, view: SubscriberPage): Html {
  const { content, reader } = view;
  const path = `/status-pages/${row.page}/subscribers/${row.id}`;
  const kind = row.way === "webhook" ? "Webhook" : "E-mail";
  const named = [name, to].filter((one) => one !== "");
  const title = named.join(", ") || `${kind} ${row.id}`;
  const names = content.components.flatMap(({ id, name }) =>
    row.components?.includes(id) === true ? [name] : [],
  );
  return html`<li class="incident">
    ${subscriberMark(row)}
    <h3>${title}</h3>
    <p class="kind">
      ${kind},
      ${row.components === null ? "the whole page" : names.join(", ") || "nothing that is left"}
    </p>
    <div class="why">
      ${healthSentence(row, view.at)}
      ${
        mayChange(reader)
          ? html`${row.way === "webhook" ? buttonForm(`${path}/test`, reader, "Send a test message", title) : null}
            ${buttonForm(`${path}/remove`, reader, "Remove", title)}`
          : null
      }
    </div>
  </li>`;
}

function subscriberMark({ acceptedAt, trouble, refusals }: SubscriberRow): Html {
  if (acceptedAt === null) return verdictMark("unchecked", "Not confirmed");
  if (trouble === "") return verdictMark("success", "Subscribed");
  return verdictMark(refusals > 0 ? "error" : "degraded", "Failing");
}

const healthSentence = ({ trouble, failingSince }: SubscriberRow, at: EpochMillis): Html | null =>
  trouble === "" || failingSince === null
    ? null
    : html`<p>
        Takes no news since
        <time datetime="${isoTime(failingSince)}">${lengthOf(between(failingSince, at))}</time>:
        ${trouble}.
      </p>`;
