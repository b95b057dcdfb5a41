import * as limits from "#limits/status-limits";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { choiceField, textField } from "#service/operator/form-fields";
import type { StateCounts } from "#service/operator/publishing/subscribers/found-subscribers";
import {
  isNarrowed,
  type SubscribersShown,
  subscribersAddress,
} from "#service/operator/publishing/subscribers/subscriber-query";
import { type SubscriberState, subscriberStates } from "#service/store/news/subscriber-state";

interface Choices {
  /** Of the list. */
  readonly path: string;
  readonly shown: SubscribersShown;
  readonly states: StateCounts;
  /** Whoever sees no addresses is not asked for one. */
  readonly seesAddresses: boolean;
}

const stateWords: { readonly [S in SubscriberState]: string } = {
  confirmed: "Subscribed",
  unconfirmed: "Not confirmed",
  ended: "Ended by the receiver",
  unsubscribed: "Unsubscribed",
};

/** Which subscribers the list shows. A state that no subscriber is in is not offered. All are without those who left. */
export function subscriberChoices({ path, shown, states, seesAddresses }: Choices): Html {
  const { confirmed, unconfirmed, ended, unsubscribed } = states;
  const choice = (state: SubscriberState | null, words: string, count: number): Html => {
    const current = shown.state === state ? html` aria-current="true"` : null;
    return html`<li>
      <a href="${subscribersAddress(path, { ...shown, state, offset: 0 })}" ${current}
        >${words} <span class="count">${grouped(count)}</span></a
      >
    </li>`;
  };
  const offered = subscriberStates.filter((state) => states[state] > 0 || shown.state === state);
  return html`<div class="choices">
    <nav aria-label="Subscribers by state">
      <ul>
        ${choice(null, unsubscribed > 0 ? "All but unsubscribed" : "All", confirmed + unconfirmed + ended)}
        ${offered.map((state) => choice(state, stateWords[state], states[state]))}
      </ul>
    </nav>
    <form role="search" action="${path}" method="get" class="filter" aria-label="Find subscribers">
      ${shown.state === null ? null : html`<input type="hidden" name="state" value="${shown.state}" />`}
      ${
        seesAddresses
          ? textField({
              words: "Address or name",
              name: "search",
              value: shown.search,
              charsMax: limits.subscriberSearchCharsMax,
              isSearch: true,
            })
          : null
      }
      ${choiceField("Sent by", "way", ways, shown.way ?? "")}
      <button type="submit">Filter</button>
      ${isNarrowed(shown) ? html`<a href="${path}">All subscribers</a>` : null}
    </form>
  </div>`;
}

const ways = [
  ["", "All"],
  ["email", "E-mail"],
  ["webhook", "Webhook"],
] as const;
