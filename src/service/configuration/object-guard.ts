import type { Interceptor } from "@connectrpc/connect";
import type { Clock } from "#clock";
import { callersKey } from "#service/admission";
import { because, Refusal } from "#service/call-refusal";
import type { ConfigurationStore, ObjectKind, Touch } from "#store/configuration-store";
import { integerOf } from "#store/ids";

/** Which calls change or delete an object that files may own, and of what kind it is. */
export const objectCalls: Readonly<
  Record<string, { readonly kind: ObjectKind; readonly deed: Touch["deed"] }>
> = {
  UpdateHTTPMonitor: { kind: "monitor", deed: "changed" },
  UpdateTCPMonitor: { kind: "monitor", deed: "changed" },
  UpdateDNSMonitor: { kind: "monitor", deed: "changed" },
  DeleteMonitor: { kind: "monitor", deed: "deleted" },
  UpdatePrivateLocation: { kind: "location", deed: "changed" },
  DeletePrivateLocation: { kind: "location", deed: "deleted" },
  UpdateNotification: { kind: "channel", deed: "changed" },
  DeleteNotification: { kind: "channel", deed: "deleted" },
  UpdateMaintenance: { kind: "maintenance", deed: "changed" },
  DeleteMaintenance: { kind: "maintenance", deed: "deleted" },
};

/** The owner whose objects no call may change, and where they are changed instead; null where there is none. */
export interface ReadOnlyOwner {
  readonly owner: string;
  readonly folder: string;
}

/**
 * Before an object that files own is changed by hand: one that the service's own folder says is refused, and of others
 * it is noted who does it, so that the next plan can say so.
 */
export const guardObjects =
  (store: ConfigurationStore, clock: Clock, readOnly: ReadOnlyOwner | null): Interceptor =>
  (next) =>
  async (request) => {
    const call = objectCalls[request.method.name];
    const id = call === undefined ? null : idIn(request.message);
    if (call === undefined || id === null) return next(request);
    const owner = await store.ownerOf(call.kind, id);
    if (readOnly !== null && owner === readOnly.owner)
      throw new Refusal(
        "failed_precondition",
        `it is made by the files in ${readOnly.folder}: change it there, and the service applies it`,
        because("MANAGED_BY_FILES", { owner }),
      );
    if (owner === null || owner === "") return next(request);
    const by = request.contextValues.get(callersKey);
    const who = by === null ? "" : `key ${by.id} (${by.name})`;
    await store.touch(call.kind, id, { deed: call.deed, at: clock.wall(), by: who });
    return next(request);
  };

const idIn = (message: object): number | null =>
  "id" in message && typeof message.id === "string" ? integerOf(message.id) : null;
