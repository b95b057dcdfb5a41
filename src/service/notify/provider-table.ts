import type { Provider } from "#service/notify/channel";
import type { ProviderRules, ProviderTable } from "#service/notify/provider";
import { discord } from "#service/notify/providers/discord";
import { email } from "#service/notify/providers/email";
import { googleChat } from "#service/notify/providers/google-chat";
import { grafanaOncall } from "#service/notify/providers/grafana-oncall";
import { msTeams } from "#service/notify/providers/ms-teams";
import { ntfy } from "#service/notify/providers/ntfy";
import { opsgenie } from "#service/notify/providers/opsgenie";
import { pagerduty } from "#service/notify/providers/pagerduty";
import { slack } from "#service/notify/providers/slack";
import { sms } from "#service/notify/providers/sms";
import { telegram } from "#service/notify/providers/telegram";
import { webhook } from "#service/notify/providers/webhook";
import { whatsapp } from "#service/notify/providers/whatsapp";

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
