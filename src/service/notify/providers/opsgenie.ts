import { ConfigurationReader } from "#service/notify/configuration-reading";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { Notice } from "#service/notify/event";
import {
  type HttpReply,
  type HttpRequest,
  postJson,
  replyValue,
  replyText,
} from "#service/notify/provider-request";
import { incidentKey } from "#service/notify/keys";
import { fitMessage } from "#service/notify/message/fit-message";
import type { Message } from "#service/notify/message/message";
import { say } from "#service/notify/message/say";
import { again, delivered, plainOutcome, slowDown, stopped } from "#service/notify/outcomes";
import { labelsOf, pagerStep, sourceOf, urgencyOf } from "#service/notify/paging";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { cutText } from "#base/text";
import { millis, seconds } from "#base/units";

const label = "Opsgenie";

/** Alerts by an alias. It answers that it has a request whatever becomes of it, so it is asked once afterwards. */
export const opsgenie: ProviderRules<"opsgenie"> = {
  label,
  word: "incident_b",
  manner: "pager",
  pace: { burst: 5, span: seconds(1) },
  paceKey: ({ apiKey }) => apiKey,
  read(given) {
    const reader = new ConfigurationReader(given);
    const apiKey = reader.text(
      "api_key",
      /^[\w-]{8,128}$/,
      "the key of an API integration, of letters, digits, - and _",
    );
    const region = reader.text("region", /^(us|eu)$/, "us or eu");
    return reader.finish({ apiKey, region: region === "eu" ? "eu" : "us" } as const);
  },
  lacks: () => null,
  render,
  understand,
  asking: {
    request: (receipt, scene) => ({
      ...request(scene, `/requests/${encodeURIComponent(receipt)}`, ""),
      method: "GET",
      body: "",
    }),
    understand: became,
  },
};

type Opsgenie = Scene<"opsgenie">;

function render(delivery: Delivery, scene: Opsgenie): Rendering {
  const { notice, timeZone } = delivery;
  const message = fitMessage(say(notice, timeZone), sizeOf, 15_000);
  const alias = encodeURIComponent(incidentKey(delivery));
  const at = (verb: string): string => `/${alias}/${verb}?identifierType=alias`;
  const note = { note: cutText(descriptionOf(message), 25_000), source: "Picket", user: "Picket" };
  const create = request(scene, "", alertOf(delivery, message));
  const close = request(scene, at("close"), note);
  const step = pagerStep(notice);
  switch (step.is) {
    case "nothing":
      return step;
    case "trigger": {
      // A repeated alert of one alias is only counted: it would keep the priority of the first.
      if (!changes(notice)) return { is: "requests", requests: [create] };
      const priority = {
        ...request(scene, at("priority"), { priority: priorityOf(notice) }),
        method: "PUT",
      } as const;
      return { is: "requests", requests: [request(scene, at("notes"), note), priority] };
    }
    case "resolve":
      return { is: "requests", requests: [close] };
    case "try":
      return { is: "requests", requests: [create, close] };
  }
}

const changes = (notice: Notice): boolean =>
  (notice.type === "monitor.error" || notice.type === "monitor.degraded") &&
  notice.occasion.why === "changed";

function request(
  { configuration, accounts }: Opsgenie,
  path: string,
  content: unknown,
): HttpRequest {
  const url = `${accounts.opsgenieUrls[configuration.region]}/v2/alerts${path}`;
  return postJson(url, content, { authorization: `GenieKey ${configuration.apiKey}` });
}

function alertOf(delivery: Delivery, message: Message): unknown {
  const { notice } = delivery;
  const { source, kind, group } = sourceOf(notice);
  return {
    message: cutText(message.title, 130),
    alias: incidentKey(delivery),
    description: descriptionOf(message),
    priority: priorityOf(notice),
    entity: cutText(source, 512),
    source: "Picket",
    tags: labelsOf(notice)
      .slice(0, 20)
      .map((one) => cutText(one, 50)),
    details: {
      ...(kind === null ? {} : { failure: kind }),
      ...(group === null ? {} : { location: group }),
      delivery: delivery.id,
    },
  };
}

const descriptionOf = ({ reason, facts, note, links }: Message): string =>
  [
    reason,
    facts.map(({ name, value }) => `${name}: ${value}`).join("\n"),
    note,
    links.map(({ label: text, url }) => `${text}: ${url}`).join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");

const sizeOf = (message: Message): number => descriptionOf(message).length;

function priorityOf(notice: Notice): string {
  switch (urgencyOf(notice)) {
    case "critical":
      return "P1";
    case "error":
      return "P2";
    case "warning":
      return "P3";
    case "info":
      return "P5";
  }
}

function understand(reply: HttpReply, { now }: Opsgenie): DeliveryOutcome {
  const { status } = reply;
  const receipt = replyText(reply, "requestId");
  if (status === 202 && receipt !== null)
    return { is: "accepted", reference: null, receipt, askAfter: seconds(10) };
  const period = Number(reply.headers["x-ratelimit-period-in-sec"]);
  if (status === 429 && period > 0) return slowDown(label, status, millis(period * 1000));
  return plainOutcome(reply, label, now);
}

/** A close of what is not open has nothing to do. */
function became(reply: HttpReply, receipt: string, { now }: Opsgenie): DeliveryOutcome {
  if (reply.status === 404)
    return again(
      "not_understood",
      `${label} does not know yet what became of it`,
      404,
      seconds(10),
    );
  if (reply.status !== 200) return plainOutcome(reply, label, now);
  if (replyValue(reply, "data", "success") !== false) return delivered();
  const why = replyText(reply, "data", "status") ?? "";
  if (/does not exist|already closed|not found/i.test(why)) return delivered();
  return stopped(
    "permanent",
    "message_refused",
    `${label} accepted the request but did not carry it out: see the integration's log there, request ${cutText(receipt, 64)}`,
    reply.status,
  );
}
