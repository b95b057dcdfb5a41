import { postJson } from "#service/notify/provider-request";
import { incidentKey } from "#service/notify/keys";
import type { Message } from "#service/notify/message/message";
import { say } from "#service/notify/message/say";
import { plainOutcome } from "#service/notify/outcomes";
import { pagerStep } from "#service/notify/paging";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { seconds } from "#base/units";
import { byWebhookUrl } from "#service/notify/webhook-url";

const label = "Grafana OnCall";

/** A formatted webhook: alerts of one alert_uid are one group. */
export const grafanaOncall: ProviderRules<"grafana_oncall"> = {
  ...byWebhookUrl({ example: "https://host/oncall/integrations/v1/formatted_webhook/x/" }),
  label,
  word: "oncall_a",
  manner: "pager",
  // 300 in five minutes.
  pace: { burst: 30, span: seconds(1) },
  render,
  understand: (reply, { now }) => plainOutcome(reply, label, now),
};

function render(delivery: Delivery, { configuration }: Scene<"grafana_oncall">): Rendering {
  const message = say(delivery.notice, delivery.timeZone);
  const alert = (state: "alerting" | "ok"): unknown => ({
    alert_uid: incidentKey(delivery),
    title: message.title,
    message: textOf(message),
    image_url: null,
    state,
    link_to_upstream_details: message.links[0]?.url ?? null,
  });
  const post = (state: "alerting" | "ok") => postJson(configuration.webhookUrl, alert(state));
  const step = pagerStep(delivery.notice);
  switch (step.is) {
    case "nothing":
      return step;
    case "trigger":
      return { is: "requests", requests: [post("alerting")] };
    case "resolve":
      return { is: "requests", requests: [post("ok")] };
    case "try":
      return { is: "requests", requests: [post("alerting"), post("ok")] };
  }
}

const textOf = ({ reason, facts, note }: Message): string =>
  [reason, ...facts.map(({ name, value }) => `${name}: ${value}`), note]
    .filter((part) => part !== "")
    .join("\n");
