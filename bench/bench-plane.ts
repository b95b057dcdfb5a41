import { systemClock } from "#base/clock";
import { connectControlPlane } from "#transport/connect-control-plane";
import type { ControlPlane } from "#transport/control-plane";
import { wayWith } from "../test/support/service-way.ts";

/**
 * An agent's way to a service at `url`, by which a benchmark reports results. One with a name shares its location with
 * others that have one.
 */
export const benchPlane = (url: string, token: string, name: string | null = null): ControlPlane =>
  connectControlPlane({
    baseUrl: url,
    token: () => token,
    tokenHeader: "x-service-token",
    instance: {
      id: name ?? "bench",
      version: "0",
      hostname: "",
      node: "",
      labels: {},
      placement: name === null ? "everywhere" : "share",
    },
    way: wayWith({ clock: systemClock }),
    clock: systemClock,
  });
