import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { ApiKeyService } from "#contract/picket/v1/api_key_pb";
import { callersKey } from "#service/agents/admission";
import { because, Refusal } from "#service/edge/call-refusal";
import { type ApiKey, type Keys, scopesOf } from "#service/edge/keys";
import { timeText } from "#service/monitors/shown-monitor";

/** picket.v1.ApiKeyService: keys are looked at and revoked by call; they are made on the pages and on the service's machine. */
export function keyApi(router: ConnectRouter, keys: Keys): void {
  router.service(ApiKeyService, {
    getApiKey: async ({ id }, context) => {
      const caller = callerOf(context);
      const wanted = id === "" ? caller.id : id;
      refuseStranger(caller, wanted, "look at");
      const key = await keys.get(wanted);
      const { id: own, name, prefix, lastUsedAt } = key;
      const scopes = [...scopesOf(key)];
      return {
        apiKey: {
          id: own,
          name,
          scopes,
          createdAt: timeText(key.createdAt),
          prefix,
          lastUsedAt: timeText(lastUsedAt),
          expiresAt: timeText(key.expiresAt),
        },
      };
    },
    revokeApiKey: async ({ id }, context) => {
      refuseStranger(callerOf(context), id, "revoke");
      await keys.revoke(id);
      return { success: true };
    },
  } satisfies ServiceImpl<typeof ApiKeyService>);
}

/** A read key has to do with itself only. */
function refuseStranger(caller: ApiKey, id: string, verb: string): void {
  if (caller.scope === "write" || caller.id === id) return;
  throw new Refusal(
    "permission_denied",
    `an API key that may only read can ${verb} itself and no other key`,
    because("WRITE_SCOPE_REQUIRED"),
  );
}

function callerOf({ values }: HandlerContext): ApiKey {
  const key = values.get(callersKey);
  if (key === null) throw new TypeError("a call of the keys was admitted without one");
  return key;
}
