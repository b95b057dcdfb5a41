import { html, type Html } from "#web/page/html";
import type { Provider } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";

/** Kinds of channels, in the order in which most people look for theirs. */
const kinds: readonly (readonly [words: string, providers: readonly Provider[]])[] = [
  ["Chat", ["slack", "discord", "ms_teams", "google_chat", "telegram"]],
  ["Mail and push", ["email", "ntfy"]],
  ["On call", ["pagerduty", "opsgenie", "grafana_oncall"]],
  ["Telephone", ["sms", "whatsapp"]],
  ["Programs", ["webhook"]],
];

/** All providers as cards; one for which the service lacks something says so. */
export const providerChoice = (
  lacking: (provider: Provider) => string | null,
  next: string,
): Html =>
  html`<p class="back"><a href="/channels">Channels</a></p>
    <h1 class="page">New channel</h1>
    <p class="words">Where do messages go?</p>
    ${kinds.map(
      ([words, own]) =>
        html`<h2>${words}</h2>
          <ul class="cards providers">
            ${own.map((provider) => card(provider, lacking(provider), next))}
          </ul>`,
    )}`;

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
