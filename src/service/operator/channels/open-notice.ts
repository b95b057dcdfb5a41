import { counted } from "#web/page/format";

/** Where a person continues who made a channel: the address has of how many open incidents it is notified. */
export const withOpen = (path: string, open: number): string =>
  open === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}notified=${open}`;

/** What that page says of it; null if the channel is notified of none. */
export function openNotice(query: URLSearchParams): string | null {
  const [open = ""] = /^[1-9]\d{0,3}$/.exec(query.get("notified") ?? "") ?? [];
  if (open === "") return null;
  const words = open === "1" ? "that is open" : "that are open";
  return `Created. The channel is notified of ${counted(Number(open), "incident")} ${words}.`;
}
