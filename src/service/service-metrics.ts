import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "#base/clock";
import { prometheusHead, prometheusLabels } from "#metrics/prometheus-lines";
import { prometheusName } from "#metrics/prometheus-name";
import { serviceInstruments } from "#metrics/service-instruments";
import { admitRequest } from "#service/agents/admission";
import type { DeliveryCounts } from "#service/alerts/delivery-counts";
import { isRead, sendText } from "#service/edge/json-answer";
import type { ManagedFolder } from "#service/configuration/managed-folder";
import type { KeyPace } from "#service/edge/key-pace";
import type { Keys } from "#service/edge/keys";
import type { Store } from "#service/store/store";
import { between, type EpochMillis } from "#base/units";

export interface MetricsRooms {
  readonly store: Store;
  readonly keys: Keys;
  readonly pace: KeyPace;
  readonly counts: DeliveryCounts;
  readonly clock: Clock;
  readonly managed: ManagedFolder | null;
}

/** `/metrics`: the service's own figures as Prometheus' text, for whoever has a key. */
export async function serviceMetrics(
  rooms: MetricsRooms,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isRead(request, response)) return;
  await admitRequest(rooms, withBearer(request.headers), response);
  const { store, counts, clock, managed } = rooms;
  const [oldest, news] = await Promise.all([
    store.alerts.deliveries.oldestWaiting(),
    store.readers.letters.waiting(),
  ]);
  const ageOf = (at: EpochMillis | null): number =>
    at === null ? 0 : Math.max(0, between(at, clock.wall()) / 1000);
  const lines = counts
    .all()
    .map(({ count, ...labels }) => `${notifications}${prometheusLabels(labels)} ${count}\n`);
  const text = [
    prometheusHead(notifications, serviceInstruments["picket.notifications"]),
    ...lines,
    prometheusHead(oldestAge, serviceInstruments["picket.notifications.oldest.age"]),
    `${oldestAge} ${ageOf(oldest)}\n`,
    prometheusHead(newsWaiting, serviceInstruments["picket.news.waiting"]),
    `${newsWaiting} ${news.count}\n`,
    prometheusHead(newsAge, serviceInstruments["picket.news.oldest.age"]),
    `${newsAge} ${ageOf(news.oldest)}\n`,
    ...(managed === null
      ? []
      : [
          prometheusHead(mistakes, serviceInstruments["picket.configuration.mistakes"]),
          `${mistakes} ${managed.state.mistakes.length}\n`,
        ]),
  ].join("");
  sendText(request, response, "text/plain; version=0.0.4; charset=utf-8", text);
}

const nameOf = (name: keyof typeof serviceInstruments): string =>
  prometheusName(name, serviceInstruments[name]);
const notifications = nameOf("picket.notifications");
const mistakes = nameOf("picket.configuration.mistakes");
const oldestAge = nameOf("picket.notifications.oldest.age");
const newsWaiting = nameOf("picket.news.waiting");
const newsAge = nameOf("picket.news.oldest.age");

/** Prometheus sends a secret as a bearer token; our own header comes first. */
function withBearer(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return token === undefined ? headers : { "x-service-key": token, ...headers };
}
