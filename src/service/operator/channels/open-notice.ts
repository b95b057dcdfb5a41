import type { AnnouncedChannel } from "#service/store/channel-store";
import { counted } from "#web/page/format";

type OpenThen = Omit<AnnouncedChannel, "id">;

/** Where a person continues who made a channel: the address has of how many open incidents it is notified, now and later. */
export function withOpen(path: string, { announced, silenced }: OpenThen): string {
  const said = [
    ...(announced === 0 ? [] : [`notified=${announced}`]),
    ...(silenced === 0 ? [] : [`silenced=${silenced}`]),
  ].join("&");
  return said === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${said}`;
}

/** What that page says of it; null if the channel is notified of none. */
export function openNotice(query: URLSearchParams): string | null {
  const [announced, silenced] = [countIn(query, "notified"), countIn(query, "silenced")];
  if (announced === 0 && silenced === 0) return null;
  const now = announced === 0 ? "" : ` The channel is notified of ${openWords(announced)}.`;
  const later =
    silenced === 0
      ? ""
      : ` ${announced === 0 ? openWords(silenced) : `${silenced} more`} ${silenced === 1 ? "is" : "are"} silenced: the channel is notified when the silence ends.`;
  return `Created.${now}${later}`;
}

const openWords = (count: number): string =>
  `${counted(count, "incident")} that ${count === 1 ? "is" : "are"} open`;

/** No more than a service has. */
const countIn = (query: URLSearchParams, name: string): number =>
  Number(/^[1-9]\d{0,3}$/.exec(query.get(name) ?? "")?.[0] ?? 0);
