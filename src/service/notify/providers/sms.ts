import { ConfigurationReader } from "#service/notify/configuration-reading";
import { say } from "#service/notify/message/say";
import { phoneText } from "#service/notify/phone-text";
import { phoneSilence } from "#service/notify/phone-silence";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { twilioAsking, twilioOutcome, twilioPost } from "#service/notify/twilio";
import { seconds } from "#base/units";

const lacking =
  "text messages need an account at Twilio: set PICKET_TWILIO_ACCOUNT_SID, PICKET_TWILIO_AUTH_TOKEN and PICKET_TWILIO_FROM at the service";

/** One text message of one segment, by the service's account at Twilio. */
export const sms: ProviderRules<"sms"> = {
  label: "SMS",
  word: "sms",
  manner: "phone",
  // One a second a long number: all channels share the service's.
  pace: { burst: 1, span: seconds(1) },
  paceKey: () => "sms",
  read(given) {
    const reader = new ConfigurationReader(given);
    return reader.finish({ phoneNumber: phoneNumber(reader) });
  },
  lacks: ({ sms: account }) => (account === null ? lacking : null),
  render,
  understand: (reply, { now }) => twilioOutcome(reply, now),
  asking: {
    request: (receipt, { accounts }) => twilioAsking.request(receipt, accounts.sms),
    understand: (reply, _receipt, { now }) => twilioAsking.understand(reply, now),
  },
};

/** As people write them; its digits are E.164. */
export const phoneNumber = (reader: ConfigurationReader): string =>
  reader.text(
    "phone_number",
    /^\+[1-9]([ ().-]{0,3}\d){5,14}$/,
    "a number with + and country, for example +491701234567 or +49 170 1234567",
  );

/** A number as it is dialled. */
export const dialled = (number: string): string => `+${number.replaceAll(/\D/g, "")}`;

function render(delivery: Delivery, { configuration, accounts }: Scene<"sms">): Rendering {
  const account = accounts.sms;
  const silence = account === null ? lacking : phoneSilence(delivery.notice);
  if (account === null || silence !== null) return { is: "nothing", why: silence ?? lacking };
  const from: Record<string, string> =
    account.from.by === "number"
      ? { From: account.from.number }
      : { MessagingServiceSid: account.from.sid };
  const fields = {
    To: dialled(configuration.phoneNumber),
    ...from,
    Body: phoneText(say(delivery.notice, delivery.timeZone)),
  };
  return { is: "requests", requests: [twilioPost(account, fields)] };
}
