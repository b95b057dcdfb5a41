import { hostname } from "node:os";
import { serviceWay } from "#cli/management/service-way";
import { systemClock } from "#base/clock";
import type { Config } from "#agent/settings/config";
import { currentToken } from "#agent/settings/token";
import type { Logger } from "#base/log";
import { connectControlPlane, type ConnectOptions } from "#transport/connect-control-plane";
import type { ControlPlane } from "#transport/control-plane";
import type { Watch } from "#transport/watch";
import { websocketWatch } from "#transport/websocket-watch";
import { version } from "#base/version";

/** The service that a configuration names, as the agent calls it and listens to it. */
export function serviceOf(
  config: Config,
  instance: string,
  log: Logger,
): {
  readonly controlPlane: ControlPlane;
  readonly watch: Watch | null;
} {
  const options: ConnectOptions = {
    baseUrl: config.serviceUrl,
    token: currentToken(config.token, log),
    tokenHeader: config.tokenHeader,
    instance: {
      id: instance,
      version: version(),
      hostname: hostname(),
      node: config.node,
      labels: config.labels,
      placement: config.placement,
      signedFor: config.signers?.location ?? "",
    },
    way: serviceWay(config),
    clock: systemClock,
  };
  return {
    controlPlane: connectControlPlane(options),
    watch: config.watching ? websocketWatch(options) : null,
  };
}
