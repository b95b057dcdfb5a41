import { addressesAddedAtOnce } from "#limits/status-limits";
import { addSubscriber } from "#service/api/subscriber-calls";
import { Refusal, violation } from "#service/edge/call-refusal";
import { isReaderAddress } from "#service/notify/mail-address";
import type { PageRooms } from "#service/operator/page-rooms";
import { subscribersPath } from "#service/operator/publishing/subscriber-removal";
import { numberIn } from "#service/operator/whole-number";
import type { StatusPageRow } from "#service/store/page-store";
import { counted } from "#web/page/format";

/**
 * The addresses of a text that has several: in lines, or apart by spaces, commas or semicolons, also as `Ann <ann@acme.test>`.
 * Null: it is one, or has a webhook, which is added alone because its signing secret is shown then.
 */
export function addressesIn(text: string): readonly string[] | null {
  if (text.includes("://")) return null;
  const words = text
    .replaceAll(/[^,;\n<>]*<([^<>\s]+)>/g, " $1 ")
    .split(/[\s,;]+/)
    .filter((word) => word !== "");
  if (words.length < 2) return null;
  return [...new Map(words.map((one) => [one.toLowerCase(), one])).values()];
}

interface WantedOfAll {
  readonly name: string;
  /** Empty: the whole page. */
  readonly componentIds: readonly string[];
}

/** Adds each that is not subscribed yet, or none if one is no address; gives the list, which says what became of them. */
export async function addedEach(
  rooms: PageRooms,
  page: StatusPageRow,
  addresses: readonly string[],
  { name, componentIds }: WantedOfAll,
): Promise<string> {
  refuseWrong(addresses, name);
  const count = { added: 0, asked: 0, known: 0, left: 0 };
  for (const to of addresses) {
    if (await rooms.readers.isSubscribed(page.id, to)) {
      count.known += 1;
      continue;
    }
    count[await outcomeOf(addSubscriber(rooms, page, { name: "", componentIds, to }))] += 1;
  }
  const query = Object.entries(count).map(([word, many]) => [word, String(many)]);
  return `${subscribersPath(page)}?${new URLSearchParams(query).toString()}`;
}

/** Left: the page is full, or its reader cannot be asked again now. */
async function outcomeOf(
  adding: ReturnType<typeof addSubscriber>,
): Promise<"added" | "asked" | "left"> {
  try {
    return (await adding).isAsked ? "asked" : "added";
  } catch (error) {
    if (error instanceof Refusal) return "left";
    throw error;
  }
}

function refuseWrong(addresses: readonly string[], name: string): void {
  const refused = (message: string) => violation({ field: "webhook_url", message });
  if (addresses.length > addressesAddedAtOnce)
    throw refused(
      `has ${addresses.length} addresses, and one form adds ${addressesAddedAtOnce} at most`,
    );
  const wrong = addresses.filter((one) => !isReaderAddress(one));
  if (wrong.length > 0)
    throw refused(
      `has ${addresses.length} addresses, of which ${wrong.length === 1 ? "one is" : `${wrong.length} are`} wrong, for example “${wrong[0]?.slice(0, 100)}”: correct or remove what is wrong`,
    );
  if (name !== "")
    throw violation({
      field: "name",
      message: "is of one subscriber: leave it empty for several addresses",
    });
}

/** What became of several addresses, as the address of the list says it; null if they were not sent. */
export function addedWords(query: URLSearchParams): string | null {
  const of = (word: string): number => numberIn(query, word) ?? 0;
  if (!query.has("added")) return null;
  const were = (many: number): string =>
    `${counted(many, "subscriber")} ${many === 1 ? "was" : "were"}`;
  const [added, asked, known, left] = [of("added"), of("asked"), of("known"), of("left")];
  return [
    `${were(added)} added.`,
    asked === 0 ? "" : `${were(asked)} sent a mail that asks, because they unsubscribed before.`,
    known === 0 ? "" : `${were(known)} there already.`,
    left === 0 ? "" : `${were(left)} not added: add one of them alone to read why.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}
