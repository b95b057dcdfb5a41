import type { CallingLocation } from "#service/store/state-store";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { type ContextKey, createContextKey, type HandlerContext } from "@connectrpc/connect";
import { HealthService } from "#contract/openstatus/health/v1/health_pb";
import { StatusPageService } from "#contract/openstatus/status_page/v1/status_page_pb";
import { ApiKeyService } from "#contract/picket/v1/api_key_pb";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import type { EndSignal } from "#base/ending";
import { because, Refusal } from "#service/edge/call-refusal";
import type { KeyPace } from "#service/edge/key-pace";
import type { ApiKey, Keys } from "#service/edge/keys";
import type { Locations } from "#service/agents/locations";

/** Ours, and the names by which tools of the public service send the same. */
const tokenHeaders = ["x-service-token", "openstatus-token"];
const keyHeaders = ["x-service-key", "x-openstatus-key"];

export const tokenIn = (header: Headers): string | null => firstOf(header, tokenHeaders);
export const keyIn = (header: Headers): string | null => firstOf(header, keyHeaders);

const firstOf = (header: Headers, names: readonly string[]): string | null =>
  names.map((name) => header.get(name)).find((value) => value !== null) ?? null;

/** The headers of a request that is no call. */
export function headersOf(headers: IncomingHttpHeaders): Headers {
  const all = new Headers();
  for (const name of [...tokenHeaders, ...keyHeaders]) {
    const value = headers[name];
    if (typeof value === "string") all.set(name, value);
  }
  return all;
}

/** What distinguishes a caller from another; empty if there is none. */
export const credentialOf = (header: Headers): string => tokenIn(header) ?? keyIn(header) ?? "";

/** The key of a call, for those that show secrets or revoke keys. */
export const callersKey: ContextKey<ApiKey | null> = createContextKey<ApiKey | null>(null);

/** The location of an agent's call, as it was when its token was looked at. */
export const callersLocation: ContextKey<CallingLocation | null> =
  createContextKey<CallingLocation | null>(null);

/** Whether the caller may see header values and tokens. */
export const seesSecrets = ({ values }: Pick<HandlerContext, "values">): boolean =>
  values.get(callersKey)?.scope === "write";

/**
 * Who may call what, asked before a call's body is read: a stranger cannot make the service take in or unpack
 * megabytes, and learns nothing of the rules of a body.
 */
export const gateOf =
  (keys: Keys, pace: KeyPace, locations: Locations) =>
  async ({ method, requestHeader, values, signal }: HandlerContext): Promise<void> => {
    const admitted = (): Promise<ApiKey> => admitKey(keys, pace, requestHeader, signal);
    switch (callersOf(method)) {
      case "everyone":
        return;
      case "agents":
        values.set(callersLocation, await locations.authenticate(tokenIn(requestHeader)));
        return;
      case "readers":
        values.set(callersKey, await admitted());
        return;
      case "perhaps readers":
        if (keyIn(requestHeader) !== null) values.set(callersKey, await admitted());
        return;
      case "writers": {
        const key = await admitted();
        if (key.scope === "read")
          throw new Refusal(
            "permission_denied",
            `the API key may only read, and ${method.name} writes`,
            because("WRITE_SCOPE_REQUIRED"),
          );
        values.set(callersKey, key);
      }
    }
  };

/** The key that a request carries, when it is its turn. `signal` aborts when the client hangs up. */
async function admitKey(
  keys: Keys,
  pace: KeyPace,
  header: Headers,
  signal: EndSignal,
): Promise<ApiKey> {
  const key = await keys.authenticate(keyIn(header));
  const { hasWaited } = await pace.turn(key.id, signal);
  // It may have been revoked meanwhile.
  return hasWaited ? keys.authenticate(keyIn(header)) : key;
}

/** The same of a request that is no call: it comes in `headers`, and its client hangs up on `response`. */
export async function admitRequest(
  { keys, pace }: { readonly keys: Keys; readonly pace: KeyPace },
  headers: IncomingHttpHeaders,
  response: ServerResponse,
): Promise<ApiKey> {
  const closed = new AbortController();
  const close = (): void => closed.abort();
  response.once("close", close);
  try {
    return await admitKey(keys, pace, headersOf(headers), closed.signal);
  } finally {
    response.off("close", close);
  }
}

/** A call that is not known to be free of side effects needs a write key. */
function callersOf({ parent, name, idempotency }: DescMethod): Callers {
  if (parent.typeName === PrivateLocationService.typeName) return "agents";
  if (parent.typeName === HealthService.typeName) return "everyone";
  // A read key may revoke itself, which the call looks at.
  if (parent.typeName === ApiKeyService.typeName && name === "RevokeApiKey") return "readers";
  if (parent.typeName === StatusPageService.typeName && publicReads.has(name))
    return "perhaps readers";
  return idempotency === Idempotency.NO_SIDE_EFFECTS ? "readers" : "writers";
}

/** They ask for a page by its slug, which needs no key where the page is public. */
const publicReads: ReadonlySet<string> = new Set([
  "GetStatusPageContent",
  "GetOverallStatus",
  "GetPageComponentDailySummary",
]);

type Callers = "everyone" | "agents" | "readers" | "perhaps readers" | "writers";
