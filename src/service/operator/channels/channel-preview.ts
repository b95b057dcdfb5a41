import { html, type Html } from "#web/page/html";
import { isTimeZone } from "#base/time-zone";
import type { Provider } from "#service/notify/channel";
import { htmlAnswer, type PageAnswer } from "#service/edge/page-answer";
import type { PageRooms } from "#service/operator/page-rooms";
import { previewButton } from "#service/operator/message-preview";
import { scriptTag } from "#service/operator/script-tag";
import type { ServiceName } from "#service/notify/event-facts";
import { exampleRendering } from "#service/notify/preview/example-rendering";
import { lookView } from "#service/notify/preview/look-view";
import { lookOf } from "#service/notify/preview/message-looks";
import { rulesOf } from "#service/notify/provider-table";
import { reminderIn } from "#service/alerting/worded-rules";
import { durationText, typedDuration } from "#base/duration";
import { type EpochMillis, millis } from "#base/units";

/** The picture has links, so that a person sees where they will be. */
const withoutLinks = (provider: Provider): Html =>
  html`<p class="help">
    ${provider === "webhook" ? "The URLs are an example: service.url, monitor.url and incident.url are null" : "The links are an example: messages have none"}
    until an owner gives the service's address in <em>Settings → Service</em>, or
    PICKET_SERVICE_PUBLIC_URL does.
  </p>`;

/** The test above it posts another one. */
const ofFailure: Html = html`<p class="help">
  A test message has the type <code>test</code> instead of <code>monitor.error</code>.
</p>`;

/** How a message looks at a provider, and a button that sends a test: what would be sent if a monitor failed now, in the zone that the form says. */
export function previewView(
  provider: Provider,
  service: ServiceName,
  at: EpochMillis,
  typed: URLSearchParams,
  test: Html | null,
): Html {
  return html`<aside class="group preview" aria-labelledby="preview">
    ${test}
    <h2 id="preview">${previewTitle(provider)}</h2>
    ${folded(provider, typed, previewPart(provider, service, at, typed))}
    <p data-instead="preview">
      <button type="submit" name="${previewButton}" value="yes" class="small">Preview</button>
    </p>
    ${scriptTag("preview")}
  </aside>`;
}

/** What is posted to a program is longer than the form, and people look at it once: only whoever asks for it sees it open. */
function folded(provider: Provider, typed: URLSearchParams, part: Html): Html {
  if (provider !== "webhook") return part;
  return html`<details id="posted" ${typed.has(previewButton) ? html` open` : null}>
    <summary>An example of a failure, as JSON</summary>
    ${part}
  </details>`;
}

/** What follows the form while a person types and chooses. */
function previewPart(
  provider: Provider,
  service: ServiceName,
  at: EpochMillis,
  typed: URLSearchParams,
): Html {
  const zone = typed.get("time_zone") ?? "";
  const timeZone = isTimeZone(zone) ? zone : "UTC";
  const repeat = typedDuration(typed.get("reminder") ?? "") ?? 0;
  // What the field refuses is no promise.
  const remindsAfter = Number.isSafeInteger(repeat)
    ? reminderIn(durationText(millis(repeat)))
    : null;
  const example = { service, at, timeZone, remindsAfter };
  const look = lookOf(provider, exampleRendering(provider, example));
  return html`<div data-preview>
    ${provider === "webhook" ? ofFailure : null} ${lookView(look)}
    ${service.url === null ? withoutLinks(provider) : null}
  </div>`;
}

/** The same for a script that asks for nothing else. */
export const previewPartAnswer = (
  { clock, testMessages }: Pick<PageRooms, "clock" | "testMessages">,
  provider: Provider,
  typed: URLSearchParams,
): PageAnswer => htmlAnswer(previewPart(provider, testMessages.service, clock.wall(), typed).text);

const previewTitle = (provider: Provider): string => {
  switch (provider) {
    case "webhook":
      return "What is posted";
    case "email":
      return "How the mail looks";
    case "sms":
      return "How the text message reads";
    default:
      return `How ${rulesOf(provider).label} shows it`;
  }
};
