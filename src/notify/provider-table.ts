import type { Provider } from "#notify/channel";
import type { ProviderRules, ProviderTable } from "#notify/provider";
import { discord } from "#notify/providers/discord";
import { email } from "#notify/providers/email";
import { googleChat } from "#notify/providers/google-chat";
import { grafanaOncall } from "#notify/providers/grafana-oncall";
import { msTeams } from "#notify/providers/ms-teams";
import { ntfy } from "#notify/providers/ntfy";
import { opsgenie } from "#notify/providers/opsgenie";
import { pagerduty } from "#notify/providers/pagerduty";
import { slack } from "#notify/providers/slack";
import { sms } from "#notify/providers/sms";
import { telegram } from "#notify/providers/telegram";
import { webhook } from "#notify/providers/webhook";
import { whatsapp } from "#notify/providers/whatsapp";

/** All of them: a provider of the vocabulary that is missing here does not compile. */
const providerTable: ProviderTable = {
  discord,
  email,
  google_chat: googleChat,
  grafana_oncall: grafanaOncall,
  ntfy,
  pagerduty,
  opsgenie,
  slack,
  sms,
  telegram,
  webhook,
  whatsapp,
  ms_teams: msTeams,
};

/** The rules of a provider, for its channels' configurations. */
export const rulesOf = <P extends Provider>(provider: P): ProviderRules<P> =>
  providerTable[provider];
