import type { Target } from "#check/monitor";
import { showUrl } from "#check/target";
import { showHostPort } from "#network/host-port";

/** A target as the metrics of other checkers name it: without user-info, query and fragment, which may hold a secret. */
export function targetName(target: Target): string {
  switch (target.kind) {
    case "http":
      return showUrl(target.url);
    case "tcp":
      return showHostPort(target.host, target.port);
    case "dns":
      return target.name;
  }
}
