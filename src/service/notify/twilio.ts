import type { TwilioAccount } from "#service/notify/accounts";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import {
  type HttpReply,
  type HttpRequest,
  postForm,
  replyNumber,
  replyText,
} from "#service/notify/provider-request";
import {
  again,
  delivered,
  keyRefused,
  plainOutcome,
  slowDown,
  stopped,
} from "#service/notify/outcomes";
import { type EpochMillis, seconds } from "#base/units";

/* Twilio's API of messages, which carries SMS and WhatsApp. */

const label = "Twilio";

const messagesUrl = ({ baseUrl, accountSid }: TwilioAccount): string =>
  `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages`;

const authorization = ({ user, password }: TwilioAccount): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

export const twilioPost = (
  account: TwilioAccount,
  fields: Readonly<Record<string, string>>,
): HttpRequest =>
  postForm(`${messagesUrl(account)}.json`, fields, { authorization: authorization(account) });

/** Taken is not delivered: that is known half a minute later. */
export function twilioOutcome(reply: HttpReply, now: EpochMillis): DeliveryOutcome {
  const { status } = reply;
  const code = replyNumber(reply, "code");
  const receipt = replyText(reply, "sid");
  if (status === 201 && receipt !== null)
    return { is: "accepted", reference: null, receipt, askAfter: seconds(30) };
  if (status === 429 || code === 20_429) return slowDown(label, status, null);
  const refusal = refusals.get(code ?? 0);
  if (refusal !== undefined) return stopped("permanent", "recipient_refused", refusal, status);
  if (status === 401 || status === 403) return keyRefused(label, status);
  return plainOutcome(reply, label, now);
}

const refusals: ReadonlyMap<number, string> = new Map([
  [21_211, "Twilio says that there is no such phone number (21211): correct phone_number"],
  [
    21_610,
    "the owner of the phone number does not want messages (21610): they can send START to it",
  ],
  [21_408, "Twilio's account does not send to this country (21408): allow it in its console"],
  [
    63_016,
    "WhatsApp takes only an approved template outside a conversation (63016): check the template",
  ],
]);

export const twilioAsking = {
  request(receipt: string, account: TwilioAccount | null): HttpRequest {
    const url =
      account === null ? "" : `${messagesUrl(account)}/${encodeURIComponent(receipt)}.json`;
    const headers: Record<string, string> =
      account === null ? {} : { authorization: authorization(account) };
    return { method: "GET", url, headers, body: "", mayFail: false };
  },
  understand(reply: HttpReply, now: EpochMillis): DeliveryOutcome {
    if (reply.status !== 200) return plainOutcome(reply, label, now);
    const status = replyText(reply, "status") ?? "";
    if (["sent", "delivered", "read"].includes(status)) return delivered();
    if (status !== "undelivered" && status !== "failed")
      return again("not_understood", `${label} has not sent the message yet`, 200, seconds(30));
    const code = replyNumber(reply, "error_code");
    return stopped(
      "permanent",
      "recipient_refused",
      refusals.get(code ?? 0) ??
        `${label} could not deliver the message (${code ?? status}): look at its log of messages`,
      200,
    );
  },
};
