import type { Accounts } from "#service/notify/accounts";
import type { Channel, ChannelOf, Provider } from "#service/notify/channel";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import { HttpPost, type HttpWay } from "#service/notify/http-post";
import { MailPost } from "#service/notify/mail-post";
import { delivered, stopped } from "#service/notify/outcomes";
import type { HttpReply, HttpRequest } from "#service/notify/provider-request";
import { withAnswer } from "#service/notify/receiver-answer";
import type { Delivery, Rendering, Sender, ReplyMeaning } from "#service/notify/provider";
import { rulesOf } from "#service/notify/provider-table";
import { startDeadline } from "#base/deadline";
import { peerClock } from "#base/peer-clock";
import * as limits from "#limits/alerts-limits";

export interface SenderOptions extends HttpWay {
  readonly accounts: Accounts;
}

/** Sends for all providers: over HTTP and by mail, each message once, within its time. */
export function openSender(options: SenderOptions): Sender & AsyncDisposable {
  const http = new HttpPost(options);
  const mail = new MailPost(options.accounts, options);
  const post = { http, mail, options };
  return {
    send: (channel, delivery, signal) => send(post, channel, delivery, signal),
    ask: (channel, receipt, signal) => ask(post, channel, receipt, signal),
    [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose](),
  };
}

interface Post {
  readonly http: HttpPost;
  readonly mail: MailPost;
  readonly options: SenderOptions;
}

async function send(
  post: Post,
  channel: Channel,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const first = await sendOnce(post, channel, delivery, signal);
  if (first.is !== "moved") return first;
  const { configuration } = first;
  // Where it moves on again, it is tried later.
  const second = await sendOnce(post, { ...channel, configuration }, delivery, signal);
  switch (second.is) {
    case "delivered":
      return { ...second, moved: configuration };
    case "moved":
      return movesOn;
    default:
      return second;
  }
}

const movesOn: DeliveryOutcome = stopped(
  "failing",
  "channel_gone",
  "the chat has moved more than once: correct the channel's address",
  null,
);

async function sendOnce<P extends Provider>(
  post: Post,
  { provider, configuration }: ChannelOf<P>,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<ReplyMeaning<P>> {
  const { accounts, clock } = post.options;
  const rules = rulesOf(provider);
  const lacking = rules.lacks(accounts);
  if (lacking !== null) return stopped("failing", "not_configured", lacking, null);
  const scene = { configuration, accounts, now: clock.wall() };
  const rendered: Rendering = rules.render(delivery, scene);
  switch (rendered.is) {
    case "nothing":
      return { is: "skipped", why: rendered.why };
    case "mail":
      return post.mail.send(rendered.mail, signal);
    case "requests": {
      using deadline = startDeadline(peerClock(clock), limits.notifyTimeout, signal);
      const attempt = async (request: HttpRequest): Promise<ReplyMeaning<P>> => {
        const exchanged = await post.http.exchange(request, rules.label, deadline);
        if (!exchanged.ok) return exchanged.outcome;
        return answered(rules.understand(exchanged.reply, scene), exchanged.reply, request);
      };
      return await oneAfterTheOther(rendered.requests, attempt);
    }
  }
}

/** The last answer counts, and the first that is no delivery ends it. */
async function oneAfterTheOther<T extends { readonly is: string }>(
  requests: readonly HttpRequest[],
  attempt: (request: HttpRequest) => Promise<T>,
): Promise<T | DeliveryOutcome> {
  let outcome: T | DeliveryOutcome = delivered();
  for (const request of requests) {
    outcome = await attempt(request);
    const fine = outcome.is === "delivered" || outcome.is === "accepted";
    if (!fine && !(request.mayFail && outcome.is === "permanent")) return outcome;
  }
  return outcome;
}

async function ask<P extends Provider>(
  { http, options }: Post,
  { provider, configuration }: ChannelOf<P>,
  receipt: string,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { accounts, clock } = options;
  const rules = rulesOf(provider);
  const lacking = rules.lacks(accounts);
  if (lacking !== null) return stopped("failing", "not_configured", lacking, null);
  if (rules.asking === null) return delivered();
  const scene = { configuration, accounts, now: clock.wall() };
  using deadline = startDeadline(peerClock(clock), limits.notifyTimeout, signal);
  const request = rules.asking.request(receipt, scene);
  const exchanged = await http.exchange(request, rules.label, deadline);
  if (!exchanged.ok) return exchanged.outcome;
  return answered(
    rules.asking.understand(exchanged.reply, receipt, scene),
    exchanged.reply,
    request,
  );
}

/** What stopped a message, with the receiver's own words. */
function answered<T extends { readonly is: string }>(
  outcome: T | DeliveryOutcome,
  reply: HttpReply,
  request: HttpRequest,
): T | DeliveryOutcome {
  if (!("trouble" in outcome)) return outcome;
  const { trouble } = outcome;
  return {
    ...outcome,
    trouble: { ...trouble, message: withAnswer(trouble.message, reply, request) },
  };
}
