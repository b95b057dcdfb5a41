import { html, type Html } from "#web/page/html";
import type { Provider } from "#service/notify/channel";
import type { KnownReader } from "#service/operator/page-request";
import { rulesOf } from "#service/notify/provider-table";

/** Kinds of channels, in the order in which most people look for theirs. */
const kinds: readonly (readonly [words: string, providers: readonly Provider[]])[] = [
  ["Chat", ["slack", "discord", "ms_teams", "google_chat", "telegram"]],
  ["Mail and push", ["email", "ntfy"]],
  ["On call", ["pagerduty", "opsgenie", "grafana_oncall"]],
  ["Telephone", ["sms", "whatsapp"]],
  ["Programs", ["webhook"]],
];

/** What was pasted and is not taken, and why. */
export interface RefusedPaste {
  readonly typed: string;
  readonly words: string;
}

interface ProviderChoice {
  readonly lacking: (provider: Provider) => string | null;
  /** Where a person continues when the channel is made; empty: to the channel. */
  readonly next: string;
  /** Why what was pasted is not taken; null if nothing was. */
  readonly wrong: RefusedPaste | null;
  readonly reader: KnownReader;
}

/** A field for a URL that says where it is of, and all providers as cards. One for which the service lacks something says so. */
export const providerChoice = ({ lacking, next, wrong, reader }: ProviderChoice): Html =>
  html`<p class="back"><a href="/channels">Channels</a></p>
    <h1 class="page">New channel</h1>
    ${pasteField(next, wrong, reader)}
    ${kinds.map(
      ([words, own]) =>
        html`<h2>${words}</h2>
          <ul class="cards providers">
            ${own.map((provider) => card(provider, lacking(provider), next))}
          </ul>`,
    )}`;

const pasteField = (next: string, wrong: RefusedPaste | null, reader: KnownReader): Html =>
  html`<form method="post" action="/channels/new" class="form">
    <input type="hidden" name="form" value="${reader.formToken}" />
    ${next === "" ? null : html`<input type="hidden" name="next" value="${next}" />`}
    <div class="group lead">
      <div class="field${wrong === null ? "" : " wrong"}">
        <label for="pasted-url">Paste a URL, or choose below</label>
        <div class="pasting">
          <input
            id="pasted-url"
            name="url"
            class="line"
            autocomplete="off"
            spellcheck="false"
            value="${wrong?.typed ?? ""}"
            aria-describedby="${wrong === null ? "" : "field-url-wrong "}pasted-url-help"
            ${wrong === null ? null : html` aria-invalid="true"`}
          />
          <button type="submit">Next</button>
        </div>
        ${wrong === null ? null : html`<p class="wrong-line" id="field-url-wrong" role="alert">${wrong.words}</p>`}
        <p class="help" id="pasted-url-help">
          The URL of a webhook, e.g. of Slack or Discord, https://ntfy.sh/TOPIC or mailto:ADDRESS.
        </p>
      </div>
    </div>
  </form>`;

function card(provider: Provider, lacking: string | null, next: string): Html {
  const query = next === "" ? "" : `?${new URLSearchParams({ next }).toString()}`;
  return html`<li class="card">
    <a href="/channels/new/${provider}${query}">${rulesOf(provider).label}</a>
    <p class="help">
      ${lacking === null ? needs[provider] : "Needs a setting of the service first."}
    </p>
  </li>`;
}

const needs: { readonly [P in Provider]: string } = {
  discord: "Needs the URL of a webhook.",
  email: "Needs an address.",
  google_chat: "Needs the URL of a webhook.",
  grafana_oncall: "Needs the URL of an integration.",
  ntfy: "Needs a topic, and no account.",
  pagerduty: "Needs an integration key.",
  opsgenie: "Needs an API key.",
  slack: "Needs the URL of a webhook. Mattermost and Rocket.Chat, too.",
  sms: "Needs a number.",
  telegram: "Needs a chat.",
  webhook: "Needs your own URL. Events come as signed JSON.",
  whatsapp: "Needs a number.",
  ms_teams: "Needs the URL of a workflow.",
};
