import type { CustomFetch } from "openid-client";
import type { Deadline } from "#base/deadline";
import * as limits from "#limits/alerts-limits";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { HttpPost } from "#service/notify/http-post";
import { ProviderFault, providerLabel } from "#service/oidc/provider-fault";

/**
 * The provider is reached as those of notifications are: by the same proxy, authorities and client certificate, never
 * at an address that hands out credentials, with a bound on what is read, and within the time of the sign-in.
 */
export const fetchWithin =
  (http: Pick<HttpPost, "exchange">, deadline: Deadline): CustomFetch =>
  async (url, { method, headers, body }) => {
    const request = {
      method: method === "POST" ? "POST" : "GET",
      url,
      headers: Object.fromEntries(new Headers(headers)),
      body: body instanceof URLSearchParams ? body.toString() : "",
      mayFail: false,
    } as const;
    const exchanged = await http.exchange(request, providerLabel, deadline);
    if (!exchanged.ok) throw new ProviderFault(messageOf(exchanged.outcome));
    const { reply } = exchanged;
    if (Buffer.byteLength(reply.body) >= limits.notifyAnswerBytesMax)
      throw new ProviderFault(`${providerLabel} answers more than a sign-in needs`);
    return new Response(reply.body === "" ? null : reply.body, reply);
  };

const messageOf = (outcome: DeliveryOutcome): string =>
  "trouble" in outcome ? outcome.trouble.message : `${providerLabel} is not reached`;
