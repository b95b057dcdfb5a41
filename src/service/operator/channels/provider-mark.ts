import { html, type Html } from "#web/page/html";
import type { Provider } from "#service/notify/channel";

/** What a provider is for: each kind has a tint. */
type ProviderKind = "chat" | "mail" | "on-call" | "phone" | "program";

/** In the order in which most people look for theirs, with letters of our own: no provider's logo is shown. */
const marks: { readonly [P in Provider]: readonly [kind: ProviderKind, letters: string] } = {
  slack: ["chat", "Sl"],
  ms_teams: ["chat", "MT"],
  discord: ["chat", "Di"],
  google_chat: ["chat", "GC"],
  telegram: ["chat", "Te"],
  email: ["mail", "@"],
  ntfy: ["mail", "nt"],
  pagerduty: ["on-call", "PD"],
  opsgenie: ["on-call", "Og"],
  grafana_oncall: ["on-call", "OC"],
  webhook: ["program", "{ }"],
  sms: ["phone", "SM"],
  whatsapp: ["phone", "Wa"],
};

/** Two letters on a tile, for the eye alone: the name is next to it. */
export function providerMark(provider: Provider): Html {
  const [kind, letters] = marks[provider];
  return html`<span class="provider-mark ${kind}" aria-hidden="true">${letters}</span>`;
}

/** All providers in that order. */
export const providersInOrder = (all: readonly Provider[]): readonly Provider[] => {
  const order = Object.keys(marks);
  return all.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
};
