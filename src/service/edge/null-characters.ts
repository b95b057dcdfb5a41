import type { Interceptor } from "@connectrpc/connect";
import { PrivateLocationService as AgentService } from "#contract/private_location/v1/private_location_pb";
import { violation } from "#service/edge/call-refusal";

/**
 * Refuses a text with a NUL character by its field: PostgreSQL keeps none, and what is kept is what was sent. In what an
 * agent reports, a target may have written one, which the store replaces.
 */
export const refuseNulls: Interceptor = (next) => (request) => {
  const isAsked = !request.stream && request.service.typeName !== AgentService.typeName;
  const field = isAsked ? nullIn(request.message, "") : null;
  if (field !== null) throw violation({ field, message: "has a NUL character: remove it" });
  return next(request);
};

/** Where the first one is; null if there is none. */
function nullIn(value: unknown, at: string): string | null {
  if (typeof value === "string") return value.includes("\0") ? at : null;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return null;
  // One case of several: its name is the field's.
  if ("case" in value && "value" in value && typeof value.case === "string")
    return nullIn(value.value, `${before(at)}${inSnake(value.case)}`);
  for (const [name, inner] of Object.entries(value)) {
    const place = Array.isArray(value)
      ? `${at}[${name}]`
      : `${at === "" ? "" : `${at}.`}${inSnake(name)}`;
    const found = name.includes("\0") ? at : nullIn(inner, place);
    if (found !== null) return found;
  }
  return null;
}

const before = (path: string): string => path.replace(/[^.]*$/, "");
const inSnake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
