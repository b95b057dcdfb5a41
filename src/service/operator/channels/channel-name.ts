import { freeName } from "#base/free-name";
import * as limits from "#limits/check-limits";
import type { Provider } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { rulesOf } from "#service/notify/provider-table";
import type { PageRooms } from "#service/operator/page-rooms";
import type { ChannelRow } from "#service/store/channel-store";

/** A channel without a name: what it is of, and where its messages go. */
interface NamelessChannel {
  readonly provider: Provider;
  readonly given: ChannelArguments;
  /** Null of one that is not saved yet. */
  readonly row: ChannelRow | null;
}

/** What a page calls it: as its target, with a number if another channel is called that. */
export async function channelName(
  { store }: PageRooms,
  { provider, given, row }: NamelessChannel,
): Promise<string> {
  const others = (await store.alerts.channels.heads()).filter(({ id }) => id !== row?.id);
  return freeName(
    targetName(provider, given) ?? rulesOf(provider).label,
    new Set(others.map(({ name }) => name)),
    limits.nameCharsMax,
  );
}

/** What only this channel of its provider has, and is not secret; null if there is nothing like that. */
export function targetName(provider: Provider, given: ChannelArguments): string | null {
  switch (provider) {
    case "webhook":
      return webhookName(given["endpoint"]);
    case "email":
      return textOr(given["email"]);
    case "telegram":
      // The number of a chat says nothing to a person.
      return textOr(given["chat_id"])?.startsWith("@") === true ? textOr(given["chat_id"]) : null;
    case "sms":
    case "whatsapp":
      return numberName(provider, textOr(given["phone_number"]) ?? "");
    default:
      return null;
  }
}

const textOr = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

function webhookName(endpoint: unknown): string | null {
  const host = openHost(endpoint);
  return host === "" ? null : `${webhookTo}${host}`;
}

/**
 * The host of a URL and its port, without parts of the host that are made by chance: some services know their customers by
 * them, and take them for a key. The path is left out for the same reason. Empty if nothing is left.
 */
export function openHost(url: unknown): string {
  const { hostname = "", port = "" } = URL.parse(textOr(url) ?? "") ?? {};
  const parts = hostname.split(".");
  const from = parts.findLastIndex((part) => part.length >= 8 && /\d/.test(part)) + 1;
  const host = parts.slice(from).join(".");
  return host === "" ? "" : `${host}${port === "" ? "" : `:${port}`}`;
}

const webhookTo = "Webhook to ";

const numberName = (provider: Provider, number: string): string | null =>
  number === "" ? null : `${rulesOf(provider).label} ${numberEnd(number)}`;

/** The end of a number: whoever may read the list does not need all of it. Empty if there is none. */
export const numberEnd = (number: string): string =>
  number === "" ? "" : `…${number.replaceAll(/\D/g, "").slice(-4)}`;

/** What a form says of a name that is left empty. */
export const emptyNameHelp = (provider: Provider): string => {
  switch (provider) {
    case "webhook":
      return `“${webhookTo.trim()}” and the URL’s host and port`;
    case "email":
      return "the address";
    case "sms":
    case "whatsapp":
      return "the end of the number";
    case "telegram":
      return "the chat's @name";
    default:
      return rulesOf(provider).label;
  }
};
