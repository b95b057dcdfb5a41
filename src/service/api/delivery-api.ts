import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import { type DeliverySchema, DeliveryService } from "#contract/picket/v1/incident_pb";
import { dropReasons } from "#service/alerting/queue";
import type { Clock } from "#base/clock";
import { because, Refusal, refuseViolations, shortId } from "#service/edge/call-refusal";
import { pageOf } from "#service/edge/page";
import { timeText } from "#service/monitors/shown-monitor";
import { type DeliveryRetry, type DeliveryRow, deliveryStates } from "#service/store/alert-store";
import { integerOf } from "#service/store/ids";
import type { Store } from "#service/store/store";

/** picket.v1.DeliveryService: what was sent to whom, and what was not and why. */
export function deliveryApi(
  router: ConnectRouter,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
): void {
  const { deliveries } = store.alerts;
  router.service(DeliveryService, {
    listDeliveries: async (request) => {
      const state = deliveryStates.find((one) => one === request.state) ?? null;
      if (request.state !== "" && state === null)
        refuseViolations([
          { field: "state", message: `must be one of ${deliveryStates.join(", ")}` },
        ]);
      const { notificationId, incident } = request;
      const found = await deliveries.list({
        ...pageOf(request),
        state,
        channel: notificationId === "" ? null : (integerOf(notificationId) ?? 0),
        incident: incident === 0n ? null : Number(incident),
      });
      return { deliveries: found.deliveries.map(deliveryMessage), totalSize: found.total };
    },
    retryDelivery: async ({ id }) => {
      const tried = await deliveries.retry(integerOf(id) ?? 0, clock.wall());
      if (tried === null) throw new Refusal("not_found", `there is no delivery ${shortId(id)}`);
      if (tried !== "due") throw refusals[tried]();
      return { success: true };
    },
  } satisfies ServiceImpl<typeof DeliveryService>);
}

const refusals: Readonly<Record<Exclude<DeliveryRetry, "due">, () => Refusal>> = {
  taken: () =>
    new Refusal(
      "failed_precondition",
      "the provider has taken this delivery: it is not sent twice",
      because("DELIVERY_SENT"),
    ),
  overtaken: () =>
    new Refusal(
      "failed_precondition",
      "the provider has taken a newer message about this incident: an older one is not sent after it",
      because("DELIVERY_OVERTAKEN"),
    ),
};

const sentences: Readonly<Record<string, string>> = dropReasons;

const deliveryMessage = (row: DeliveryRow): MessageInitShape<typeof DeliverySchema> => ({
  id: String(row.id),
  notificationId: String(row.channel),
  incident: BigInt(row.incident),
  event: row.event,
  kind: row.kind,
  name: row.name,
  state: row.state,
  reason: row.reason,
  message: row.message === "" ? (sentences[row.reason] ?? "") : row.message,
  createdAt: timeText(row.createdAt),
  settledAt: timeText(row.settledAt),
  attempts: row.attempts,
});
