import { shownInstant } from "#cli/management/instant";
import type { OptionValues } from "#cli/grammar/option";
import type { ServiceOptions } from "#cli/service/service-grammar";
import { UsageError } from "#cli/edge/usage-error";
import { type ApiKey, hasEnded, type Keys, type WantedKey } from "#service/edge/keys";
import * as limits from "#limits/pages-limits";
import { after, type EpochMillis, hours } from "#base/units";
import { showText } from "#base/text";
import { timeText } from "#service/monitors/shown-monitor";

/** What `picket service key` does, by its words; gives what is printed. */
export function keyAction(
  [verb, id, ...more]: readonly string[],
  { name, scope, days }: KeyValues,
): KeyAction {
  if (more.length > 0) throw new UsageError(`key ${verb} takes no ${more[0]}`);
  switch (verb) {
    case "create":
      if (name === null) throw new UsageError("key create needs --name");
      if (scope !== "read" && scope !== "write")
        throw new UsageError("key create needs --scope read or --scope write");
      return createAction({ name, scope }, days === null ? null : daysIn(days));
    case "list":
      return async (keys, now) => (await keys.list()).map((key) => keyLine(key, now)).join("");
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

export type KeyValues = Pick<OptionValues<ServiceOptions>, "name" | "scope" | "days">;

type KeyAction = (keys: Keys, now: EpochMillis) => Promise<string>;

const createAction =
  (wanted: WantedKey, days: number | null): KeyAction =>
  async (keys, now) => {
    const end = days === null ? null : after(now, hours(24 * days));
    return `${(await keys.create(wanted, end)).key}\n`;
  };

function daysIn(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > limits.keyDaysMax)
    throw new UsageError(`--days takes 1 to ${limits.keyDaysMax}, not ${text}`);
  return days;
}

/** `2  read   pkt_key_AbCd…  last used 2026-11-22 14:02:11  ci`, and its end if it has one. */
function keyLine(key: ApiKey, now: EpochMillis): string {
  const { id, scope, prefix, lastUsedAt, expiresAt, name } = key;
  const used =
    lastUsedAt === null ? "never used" : `last used ${shownInstant(timeText(lastUsedAt))}`;
  const verb = hasEnded(key, now) ? "ended" : "ends";
  const end = expiresAt === null ? "" : `  ${verb} ${shownInstant(timeText(expiresAt))}`;
  return `${id}  ${scope.padEnd(5)}  ${prefix}…  ${used.padEnd(29)}  ${showText(name)}${end}\n`;
}
