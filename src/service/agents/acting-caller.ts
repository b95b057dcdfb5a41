import { type ContextKey, createContextKey, type Interceptor } from "@connectrpc/connect";
import type { Clock } from "#base/clock";
import { callersKey } from "#service/agents/admission";
import { actingAs } from "#service/store/audit/actor";

/** The address that a call came from, as the log of changes has it. */
export const callersAddress: ContextKey<string> = createContextKey("");

/** The one door of calls: what a call changes is its key's change. */
export const actAsCaller =
  (clock: Clock): Interceptor =>
  (next) =>
  (request) => {
    const key = request.contextValues.get(callersKey);
    if (key === null) return next(request);
    const from = request.contextValues.get(callersAddress);
    const name = `${key.id} (${key.name})`;
    return actingAs({ kind: "key", name, from, at: clock.wall() }, () => next(request));
  };
