import { html, type Html } from "#web/page/html";
import type { Provider } from "#service/notify/channel";

/** What a provider is for: each kind has a tint. */
type ProviderKind = "chat" | "mail" | "on-call" | "phone" | "program";

const bubble = html`<path d="M3 4.500h14v9.500H9.500L6 17v-3H3z" />`;
const envelope = html`<path d="M2.500 4.500h15v11h-15zM3 5l7 6 7-6" />`;
const bell = html`<path d="M5 14V9a5 5 0 0 1 10 0v5l1.500 1.500h-13zM8.500 17.500h3M10 4V2.500" />`;
const hash = html`<path d="M8 3 6.500 17M13.500 3 12 17M3.500 7.500h13.500M3 12.500h13.500" />`;
const people = html`<circle cx="7.500" cy="7" r="2.750" /><path
    d="M2.500 16.500c0-3 2-4.750 5-4.750s5 1.750 5 4.750M12.500 4.500a2.750 2.750 0 0 1 0 5M14.500 12.250c2 .6 3 2.100 3 4.250"
  />`;
const bubbles = html`<path d="M2.500 3.500h11v7.500H8L5 13.500V11H2.500z" /><path
    d="M16 7h1.500v7H15v2.500L12 14H9"
  />`;
const plane = html`<path d="M17.500 3 2.500 9l5 2.250L10 17zM7.500 11.250 17.500 3" />`;
const dots = html`${bubble}<path d="M7 9.250h.010M10 9.250h.010M13 9.250h.010" />`;
const siren = html`<path
  d="M5.500 14V9.500a4.500 4.500 0 0 1 9 0V14M3.500 14h13v3h-13zM10 2v1M3 5l1 .8M17 5l-1 .8"
/>`;
const shield = html`<path
  d="M10 2.500 16 5v4.500c0 3.500-2.500 6.500-6 8-3.500-1.500-6-4.500-6-8V5zM7.250 9.750 9.250 12l3.500-4"
/>`;
const clock = html`<circle cx="10" cy="10" r="7.250" /><path d="M10 5.750V10l3 2" />`;
const braces = html`<path
  d="M8 3H7C5.500 3 5 4 5 5.250V8L3 10l2 2v2.750C5 16 5.500 17 7 17h1M12 3h1c1.500 0 2 1 2 2.250V8l2 2-2 2v2.750C15 16 14.500 17 13 17h-1"
/>`;
const phone = html`<path d="M6 2.500h8v15H6zM9 15h2" />`;
const handset = html`<path
  d="M6 3 8 7 6.500 8.500c.8 2 2.500 3.700 5 5L13 12l4 2v2.500c0 .6-.4 1-1 1C9 17.500 2.500 11 2.500 4c0-.6.400-1 1-1z"
/>`;

/** In the order in which most people look for theirs, with glyphs of our own: no provider's logo is shown. */
const marks: { readonly [P in Provider]: readonly [kind: ProviderKind, glyph: Html] } = {
  slack: ["chat", hash],
  ms_teams: ["chat", people],
  discord: ["chat", dots],
  google_chat: ["chat", bubbles],
  telegram: ["chat", plane],
  email: ["mail", envelope],
  ntfy: ["mail", bell],
  pagerduty: ["on-call", siren],
  opsgenie: ["on-call", shield],
  grafana_oncall: ["on-call", clock],
  webhook: ["program", braces],
  sms: ["phone", phone],
  whatsapp: ["phone", handset],
};

/** A glyph on a tile of its kind's tint, for the eye alone: the name is next to it. */
export function providerMark(provider: Provider): Html {
  const [kind, glyph] = marks[provider];
  return html`<span class="provider-mark ${kind}" aria-hidden="true"
    ><svg viewBox="0 0 20 20" width="20" height="20">${glyph}</svg></span
  >`;
}

/** The heading of a page about a channel that is made or changed. */
export const markedTitle = (provider: Provider, title: string): Html =>
  html`<div class="channel-name page">
    ${providerMark(provider)}
    <h1>${title}</h1>
  </div>`;

/** All providers in that order. */
export const providersInOrder = (all: readonly Provider[]): readonly Provider[] => {
  const order = Object.keys(marks);
  return all.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
};
