import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import {
  CheckResponse_ServingStatus as ServingStatus,
  HealthService,
} from "#contract/openstatus/health/v1/health_pb";
import type { Health } from "#service/health";

/** openstatus.health.v1.HealthService: whether calls are taken, for whoever asks. */
export function healthApi(router: ConnectRouter, health: Health): void {
  router.service(HealthService, {
    check: async () => ({
      status: (await health()) === null ? ServingStatus.SERVING : ServingStatus.NOT_SERVING,
    }),
  } satisfies ServiceImpl<typeof HealthService>);
}
