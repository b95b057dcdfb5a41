import { html, type Html } from "#web/page/html";
import { type Provider, providers } from "#service/notify/channel";
import { backOf, type KnownReader } from "#service/operator/page-request";
import { filledIn } from "#service/operator/forms/filled-in";
import { rulesOf } from "#service/notify/provider-table";
import { providerMark, providersInOrder } from "#service/operator/channels/provider-mark";

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

/** A field for a URL that says where it is of, and all providers as cards. Those for which the service lacks something come last. */
export function providerChoice({ lacking, next, wrong, reader }: ProviderChoice): Html {
  const all = providersInOrder(providers);
  const ready = all.filter((one) => lacking(one) === null);
  const waiting = all.filter((one) => lacking(one) !== null);
  const back = backOf(next, { path: "/channels", words: "Channels" });
  return html`<p class="back"><a href="${back.path}">${back.words}</a></p>
    <h1 class="page">New channel</h1>
    <div class="choosing">
      ${pasteField(next, wrong, reader)}
      <h2 class="unseen">Providers</h2>
      <ul class="providers">
        ${ready.map((provider) => card(provider, needs[provider], next))}
      </ul>
      ${
        waiting.length === 0
          ? null
          : html`<h2 class="waiting">Need a setting of the service first</h2>
              <ul class="providers waiting">
                ${waiting.map((provider) => card(provider, lacks[provider] ?? needs[provider], next))}
              </ul>`
      }
    </div>`;
}

const pasteField = (next: string, wrong: RefusedPaste | null, reader: KnownReader): Html =>
  html`<form method="post" action="/channels/new" class="form" ${filledIn}>
    <input type="hidden" name="form" value="${reader.formToken}" />
    ${next === "" ? null : html`<input type="hidden" name="next" value="${next}" />`}
    <div class="group lead">
      <div class="field${wrong === null ? "" : " wrong"}">
        <label for="pasted-url">Paste a URL or an e-mail address, or choose below</label>
        <div class="pasting">
          <input
            id="pasted-url"
            name="url"
            class="line"
            autocomplete="off"
            spellcheck="false"
            autofocus
            value="${wrong?.typed ?? ""}"
            aria-describedby="${wrong === null ? "" : "field-url-wrong "}pasted-url-help"
            ${wrong === null ? null : html` aria-invalid="true"`}
          />
          <button type="submit">Next</button>
        </div>
        ${wrong === null ? null : html`<p class="wrong-line" id="field-url-wrong" role="alert">${wrong.words}</p>`}
        <p class="help" id="pasted-url-help">
          The URL of a webhook, for example of Slack or Discord, https://ntfy.sh/TOPIC, or an
          address, for example ops@example.com.
        </p>
      </div>
    </div>
  </form>`;

/** The whole card is the link's, and its name is the provider's alone. */
function card(provider: Provider, words: string, next: string): Html {
  const query = next === "" ? "" : `?${new URLSearchParams({ next }).toString()}`;
  return html`<li class="card provider">
    ${providerMark(provider)}
    <div>
      <a href="/channels/new/${provider}${query}">${rulesOf(provider).label}</a>
      <p class="help">${words}</p>
    </div>
  </li>`;
}

const needs: { readonly [P in Provider]: string } = {
  discord: "A webhook's URL",
  email: "An address",
  google_chat: "A webhook's URL",
  grafana_oncall: "An integration's URL",
  ntfy: "A topic, and no account",
  pagerduty: "An integration key",
  opsgenie: "An API key",
  slack: "A webhook's URL. Also Mattermost",
  sms: "A number",
  telegram: "A chat",
  webhook: "Your own URL, for signed JSON",
  whatsapp: "A number",
  ms_teams: "A workflow's URL",
};

/** What the service lacks; its settings are named on the provider's page. */
const lacks: { readonly [P in Provider]?: string } = {
  email: "A mail server",
  sms: "An account at Twilio",
  telegram: "A bot",
  whatsapp: "An account and a template",
};
