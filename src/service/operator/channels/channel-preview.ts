import { html, type Html } from "#web/page/html";
import { isTimeZone } from "#service/alerting/time-zone";
import type { Provider } from "#service/notify/channel";
import type { ServiceName } from "#service/notify/event-facts";
import { exampleRendering } from "#service/notify/preview/example-rendering";
import { lookView } from "#service/notify/preview/look-view";
import { lookOf } from "#service/notify/preview/message-looks";
import { rulesOf } from "#service/notify/provider-table";
import type { EpochMillis } from "#base/units";

const withoutLinks = html`<p class="help">
  Links lead nowhere yet: service.url, monitor.url and incident.url are null until an owner gives
  the service's address in <em>Settings → Service</em>, or PICKET_SERVICE_PUBLIC_URL does.
</p>`;

/** How a message looks at a provider, and a button that sends a test: what would be sent if a monitor failed now, in the zone that the form says. */
export function previewView(
  provider: Provider,
  service: ServiceName,
  at: EpochMillis,
  typed: URLSearchParams,
  test: Html | null,
): Html {
  const zone = typed.get("time_zone") ?? "";
  const timeZone = isTimeZone(zone) ? zone : "UTC";
  const look = lookOf(provider, exampleRendering(provider, { service, at, timeZone }));
  return html`<aside class="group preview" aria-labelledby="preview">
    ${test}
    <h2 id="preview">How ${rulesOf(provider).label} shows it</h2>
    ${lookView(look)} ${service.url === null ? withoutLinks : null}
  </aside>`;
}
