import { shownInstant } from "#cli/management/instant";
import type { OptionValues } from "#cli/grammar/option";
import type { ServiceOptions } from "#cli/service/service-grammar";
import { UsageError } from "#cli/edge/usage-error";
import type { ApiKey, Keys } from "#service/edge/keys";
import { showText } from "#base/text";
import { timeText } from "#service/monitors/shown-monitor";

/** What `picket service key` does, by its words; gives what is printed. */
export function keyAction(
  [verb, id, ...more]: readonly string[],
  { name, scope }: KeyValues,
): KeyAction {
  if (more.length > 0) throw new UsageError(`key ${verb} takes no ${more[0]}`);
  switch (verb) {
    case "create":
      if (name === null) throw new UsageError("key create needs --name");
      if (scope !== "read" && scope !== "write")
        throw new UsageError("key create needs --scope read or --scope write");
      return async (keys) => `${(await keys.create({ name, scope })).key}\n`;
    case "list":
      return async (keys) => (await keys.list()).map(keyLine).join("");
    case "revoke":
      if (id === undefined) throw new UsageError("key revoke needs the key's id");
      return async (keys) => {
        await keys.revoke(id);
        return `Revoked ${showText(id)}\n`;
      };
    default:
      throw new UsageError("key takes create, list or revoke");
  }
}

export type KeyValues = Pick<OptionValues<ServiceOptions>, "name" | "scope">;

type KeyAction = (keys: Keys) => Promise<string>;

/** `2  read   pkt_key_AbCd…  last used 2026-11-22 14:02:11  ci`. */
function keyLine({ id, scope, prefix, lastUsedAt, name }: ApiKey): string {
  const used =
    lastUsedAt === null ? "never used" : `last used ${shownInstant(timeText(lastUsedAt))}`;
  return `${id}  ${scope.padEnd(5)}  ${prefix}…  ${used.padEnd(29)}  ${showText(name)}\n`;
}
