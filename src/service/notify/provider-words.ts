import { type Provider, providers } from "#service/notify/channel";

/** The interface's own words for providers, which files and commands take in addition to ours; null if it has the same. */
export const neutralWords: { readonly [P in Provider]: string | null } = {
  discord: "chat_a",
  email: null,
  google_chat: "chat_e",
  grafana_oncall: "oncall_a",
  ntfy: "push_a",
  pagerduty: "incident_a",
  opsgenie: "incident_b",
  slack: "chat_b",
  sms: null,
  telegram: "chat_c",
  webhook: null,
  whatsapp: "chat_d",
  ms_teams: null,
};

/** The provider that a word of either kind means; null for any other. */
export const providerOfWord = (word: string): Provider | null =>
  providers.find((one) => one === word || neutralWords[one] === word) ?? null;
