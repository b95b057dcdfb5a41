import type { WhatsappAccount } from "#service/notify/accounts";
import { ConfigurationReader } from "#service/notify/configuration-reading";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import {
  type HttpReply,
  type HttpRequest,
  postJson,
  replyNumber,
  replyText,
} from "#service/notify/provider-request";
import type { Message } from "#service/notify/message/message";
import { plainText } from "#service/notify/message/plain";
import { say } from "#service/notify/message/say";
import { again, delivered, plainOutcome, slowDown, stopped } from "#service/notify/outcomes";
import { phoneSilence } from "#service/notify/phone-silence";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { dialled, phoneNumber } from "#service/notify/providers/sms";
import { twilioAsking, twilioOutcome, twilioPost } from "#service/notify/twilio";
import { type EpochMillis, seconds } from "#base/units";

const label = "WhatsApp";
const lacking =
  "WhatsApp needs an account and an approved template: set PICKET_WHATSAPP_PROVIDER and its other settings at the service";

/** An approved template with five texts, by Twilio or by Meta's own interface. */
export const whatsapp: ProviderRules<"whatsapp"> = {
  label,
  word: "chat_d",
  manner: "phone",
  // One in six seconds to one person.
  pace: { burst: 1, span: seconds(6) },
  paceKey: (configuration) => `whatsapp ${dialled(configuration.phoneNumber)}`,
  read(given) {
    const reader = new ConfigurationReader(given);
    return reader.finish({ phoneNumber: phoneNumber(reader) });
  },
  lacks: ({ whatsapp: account }) => (account === null ? lacking : null),
  render,
  understand: (reply, { accounts, now }) =>
    accounts.whatsapp?.by === "meta" ? metaOutcome(reply, now) : twilioOutcome(reply, now),
  asking: {
    request: (receipt, { accounts }) =>
      twilioAsking.request(receipt, accounts.whatsapp?.by === "twilio" ? accounts.whatsapp : null),
    understand: (reply, _receipt, { now }) => twilioAsking.understand(reply, now),
  },
};

function render(delivery: Delivery, { configuration, accounts }: Scene<"whatsapp">): Rendering {
  const account = accounts.whatsapp;
  const silence = account === null ? lacking : phoneSilence(delivery.notice);
  if (account === null || silence !== null) return { is: "nothing", why: silence ?? lacking };
  const texts = parameters(say(delivery.notice, delivery.timeZone));
  return {
    is: "requests",
    requests: [requestOf(account, dialled(configuration.phoneNumber), texts)],
  };
}

/** State, name, since, reason, link: one line each, and none of them empty, which templates do not take. */
const parameters = ({ brief, reason, links }: Message): readonly string[] =>
  [brief.state, brief.name, brief.since, reason, links[0]?.url ?? ""].map(
    (text) => plainText(text, 512) || "-",
  );

function requestOf(account: WhatsappAccount, to: string, texts: readonly string[]): HttpRequest {
  if (account.by === "twilio") {
    const variables = Object.fromEntries(texts.map((text, index) => [String(index + 1), text]));
    return twilioPost(account, {
      To: `whatsapp:${to}`,
      From: `whatsapp:${account.number}`,
      ContentSid: account.contentSid,
      ContentVariables: JSON.stringify(variables),
    });
  }
  const { baseUrl, phoneNumberId, token, template, language } = account;
  const content = {
    messaging_product: "whatsapp",
    to: to.slice(1),
    type: "template",
    template: {
      name: template,
      language: { code: language },
      components: [{ type: "body", parameters: texts.map((text) => ({ type: "text", text })) }],
    },
  };
  const url = `${baseUrl}/${encodeURIComponent(phoneNumberId)}/messages`;
  return postJson(url, content, { authorization: `Bearer ${token}` });
}

function metaOutcome(reply: HttpReply, now: EpochMillis): DeliveryOutcome {
  const { status } = reply;
  if (status === 200) return delivered();
  switch (replyNumber(reply, "error", "code")) {
    case 131_056:
      return slowDown(label, status, seconds(16));
    case 130_429:
      return slowDown(label, status, null);
    case 132_001:
      return stopped(
        "failing",
        "not_configured",
        `${label} has no such template (132001): correct PICKET_WHATSAPP_TEMPLATE and its language at the service`,
        status,
      );
    case 131_026:
      return stopped(
        "permanent",
        "recipient_refused",
        `${label} cannot reach the phone number (131026): correct phone_number`,
        status,
      );
    case 190:
      return stopped(
        "failing",
        "key_refused",
        `the token for ${label} has expired (190): set a new PICKET_WHATSAPP_TOKEN at the service`,
        status,
      );
    default:
      return replyText(reply, "error", "message") === null && status < 400
        ? again("not_understood", `${label} gave an answer that is not its own (${status})`, status)
        : plainOutcome(reply, label, now);
  }
}
