import { MonitorStatus as WireStatus } from "#contract/openstatus/monitor/v1/monitor_pb";
import type { MonitorStatus } from "#check/monitor-status";

/** A status in the contract's numbers, and back in words. */
export const wireStatuses: { readonly [S in MonitorStatus]: WireStatus } = {
  unknown: WireStatus.UNSPECIFIED,
  active: WireStatus.ACTIVE,
  degraded: WireStatus.DEGRADED,
  error: WireStatus.ERROR,
};

export function statusOfWire(status: WireStatus): MonitorStatus {
  switch (status) {
    case WireStatus.UNSPECIFIED:
      return "unknown";
    case WireStatus.ACTIVE:
      return "active";
    case WireStatus.DEGRADED:
      return "degraded";
    case WireStatus.ERROR:
      return "error";
  }
}
