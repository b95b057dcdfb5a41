import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import { AuditService } from "#contract/picket/v1/audit_pb";
import { epochMillis } from "#base/units";
import * as limits from "#limits/store-limits";
import { refuseViolations } from "#service/edge/call-refusal";
import type { Store } from "#service/store/store";

/** picket.v1.AuditService: the audit log, to be kept elsewhere. */
export function auditApi(router: ConnectRouter, { store }: { readonly store: Store }): void {
  router.service(AuditService, {
    exportAuditLog: async ({ after, limit }) => {
      if (after < 0n) refuseViolations([{ field: "after", message: "must be 0 or more" }]);
      if (limit < 0 || limit > limits.auditReadMax)
        refuseViolations([{ field: "limit", message: `must be 0 to ${limits.auditReadMax}` }]);
      const count = limit === 0 ? limits.auditReadMax : limit;
      const { lines, next } = await store.audit.lines(Number(after), epochMillis(0), count);
      return { lines: [...lines], next: BigInt(next ?? 0) };
    },
  } satisfies ServiceImpl<typeof AuditService>);
}
