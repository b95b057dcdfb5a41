import { ConfigurationReader } from "#service/notify/configuration-reading";
import type { Notice } from "#service/notify/event";
import { postJson } from "#service/notify/provider-request";
import { incidentKey } from "#service/notify/keys";
import type { Message } from "#service/notify/message/message";
import { say } from "#service/notify/message/say";
import { plainOutcome } from "#service/notify/outcomes";
import { pagerStep, sourceOf, urgencyOf } from "#service/notify/paging";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { cutText } from "#base/text";
import { seconds } from "#base/units";

const label = "PagerDuty";

/** Events by a key for each monitor: a repeated trigger joins its alert, and a resolve needs no memory. */
export const pagerduty: ProviderRules<"pagerduty"> = {
  label,
  word: "incident_a",
  manner: "pager",
  pace: { burst: 10, span: seconds(1) },
  paceKey: ({ integrationKey }) => integrationKey,
  read(given) {
    const reader = new ConfigurationReader(given);
    const expected = "the 32 letters and digits of an Events API v2 integration";
    return reader.finish({
      integrationKey: reader.text("integration_key", /^[A-Za-z0-9]{32}$/, expected),
    });
  },
  lacks: () => null,
  render,
  understand: (reply, { now }) => plainOutcome(reply, label, now),
  asking: null,
};

function render(delivery: Delivery, { configuration, accounts }: Scene<"pagerduty">): Rendering {
  const { notice, timeZone } = delivery;
  const message = say(notice, timeZone);
  const url = `${accounts.pagerdutyUrl}/v2/enqueue`;
  const event = { routing_key: configuration.integrationKey, dedup_key: incidentKey(delivery) };
  const trigger = (): unknown => ({
    ...event,
    event_action: "trigger",
    client: "Picket",
    ...(notice.service.url === null ? {} : { client_url: notice.service.url }),
    links: message.links.map(({ label: text, url: href }) => ({ href, text })),
    payload: payloadOf(notice, message),
  });
  const resolve = { ...event, event_action: "resolve" };
  const step = pagerStep(notice);
  switch (step.is) {
    case "nothing":
      return step;
    case "trigger":
      return { is: "requests", requests: [postJson(url, trigger())] };
    case "resolve":
      return { is: "requests", requests: [postJson(url, resolve)] };
    case "try":
      // An alert that nothing would ever resolve is no test.
      return { is: "requests", requests: [postJson(url, trigger()), postJson(url, resolve)] };
  }
}

function payloadOf(notice: Notice, message: Message): unknown {
  const { source, component, group, kind } = sourceOf(notice);
  const reason = message.reason === "" ? "" : ` - ${message.reason}`;
  return {
    summary: cutText(`${message.title}${reason}`, 1024),
    source: cutText(source, 1024),
    severity: urgencyOf(notice),
    timestamp: new Date(notice.at).toISOString(),
    component,
    ...(group === null ? {} : { group }),
    ...(kind === null ? {} : { class: kind }),
    custom_details: {
      ...Object.fromEntries(message.facts.map(({ name, value }) => [name, value])),
      ...(message.note === "" ? {} : { Description: message.note }),
    },
  };
}
