import { createHmac } from "node:crypto";
import type { WebhookEndpoint } from "#service/notify/channel";
import { ConfigurationReader } from "#service/notify/configuration-reading";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import { postJson } from "#service/notify/provider-request";
import { plainOutcome, stopped } from "#service/notify/outcomes";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { webhookBody } from "#service/notify/webhook-body";
import { type EpochMillis, millis } from "#base/units";

const label = "The webhook";

/** A signed POST of JSON, by the Standard Webhooks convention (standardwebhooks.com). */
export const webhook: ProviderRules<"webhook"> = {
  label: "Webhook",
  word: "webhook",
  manner: "webhook",
  pace: { burst: 20, span: millis(100) },
  paceKey: ({ endpoint }) => endpoint,
  read(given) {
    const reader = new ConfigurationReader(given);
    return reader.finish({
      endpoint: reader.url("endpoint"),
      headers: reader.headers("headers", ours),
      signingSecrets: [],
    });
  },
  lacks: () => null,
  render,
  understand: (reply, { now }) =>
    reply.status === 401 || reply.status === 403
      ? accessRefused(reply.status)
      : plainOutcome(reply, label, now),
  asking: null,
};

/** A webhook has no key: what lets a message in is in its URL or its headers. */
const accessRefused = (status: number): DeliveryOutcome =>
  stopped(
    "failing",
    "key_refused",
    `${label} refuses this message (${status}): check the URL and the headers`,
    status,
  );

/** What a receiver's own headers must not replace. */
const ours = /^(content-type|host|content-length|webhook-.*)$/;

function render(delivery: Delivery, { configuration, now }: Scene<"webhook">): Rendering {
  const content = webhookBody(delivery.notice, delivery.timeZone);
  if (content === null) return { is: "nothing", why: "webhooks get each event on its own" };
  const request = postJson(configuration.endpoint, content);
  const headers = {
    ...Object.fromEntries(
      configuration.headers.map(({ key, value }) => [key.toLowerCase(), value]),
    ),
    ...request.headers,
    ...signature(delivery.id, request.body, configuration, now),
  };
  return { is: "requests", requests: [{ ...request, headers }] };
}

/** While a rotation lasts, old and new secret sign, so that a receiver may have either. */
function signature(
  id: string,
  body: string,
  { signingSecrets }: WebhookEndpoint,
  now: EpochMillis,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = signingSecrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    ...(signatures.length === 0 ? {} : { "webhook-signature": signatures.join(" ") }),
  };
}
