import type { DescMethod } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import type { Keys } from "#service/keys";
import type { Locations } from "#service/locations";
import { Refusal } from "#service/call-refusal";

/** Ours, and the one in which the existing service's own agent sends its token. */
const tokenHeaders = ["x-service-token", "openstatus-token"];
export const keyHeader = "x-service-key";

/** The token of a location that a call brings; null where there is none. */
export const tokenOf = (header: Pick<Headers, "get">): string | null =>
  tokenHeaders.map((name) => header.get(name)).find((token) => token !== null) ?? null;

/** By what a caller is told from another; empty where there is none. */
export const credentialOf = (header: Headers): string =>
  tokenOf(header) ?? header.get(keyHeader) ?? "";

/**
 * Who may call what, asked before a call's body is read: a stranger cannot make the service take in or unpack
 * megabytes, and learns nothing of the rules of a body.
 */
export const gateOf =
  (keys: Keys, locations: Locations) =>
  ({ method, requestHeader }: HandlerContext): void => {
    if (method.parent.typeName === PrivateLocationService.typeName) {
      locations.authenticate(tokenOf(requestHeader));
      return;
    }
    const key = keys.authenticate(requestHeader.get(keyHeader));
    if (key.scope === "read" && !onlyReads(method))
      throw new Refusal(
        "permission_denied",
        `the API key may only read, and ${method.name} writes`,
      );
  };

/** A call that is not named here needs a write key. */
const readingCalls: ReadonlySet<string> = new Set([
  "ListMonitors",
  "GetMonitor",
  "ListResults",
  "SummarizeResults",
  "ListPrivateLocations",
  "GetPrivateLocation",
]);
const onlyReads = ({ name }: DescMethod): boolean => readingCalls.has(name);
