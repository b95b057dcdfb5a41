import { csvText } from "#base/csv";
import { isoTime } from "#web/page/format";
import type { ShownSubscriber } from "#service/operator/publishing/subscriber-line";
import { subscriberState } from "#service/store/news/subscriber-state";
import type { PageContent } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

/** A subscriber for programs. Names are only ever added. */
export const subscriberSection = ({ row, name, to, ending }: ShownSubscriber): object => ({
  id: String(row.id),
  kind: row.way,
  name,
  to,
  url_ends_with: ending,
  created_at: isoTime(row.createdAt),
  confirmed: row.acceptedAt !== null,
  components: row.components?.map(String) ?? null,
  trouble: row.trouble,
  failing_since: timeOf(row.failingSince),
  last_sent_at: timeOf(row.lastSent?.at ?? null),
  last_sent_received: row.lastSent === null ? null : row.lastSent.trouble === "",
  last_sent_trouble: row.lastSent?.trouble ?? "",
  ended_at: row.isEndedByReceiver ? timeOf(row.unsubscribedAt) : null,
  state: subscriberState(row),
  unsubscribed_at: row.isEndedByReceiver ? null : timeOf(row.unsubscribedAt),
});

const timeOf = (at: EpochMillis | null): string | null => (at === null ? null : isoTime(at));

const columns = [
  "id",
  "kind",
  "name",
  "to",
  "url_ends_with",
  "state",
  "components",
  "source",
  "language",
  "created_at",
  "confirmed_at",
  "unsubscribed_at",
  "last_sent_at",
  "last_sent_received",
  "trouble",
] as const;

/** Subscribers for spreadsheets. Of the whole page, the cell of its components is empty. */
export const subscribersCsv = (
  all: readonly ShownSubscriber[],
  { components }: Pick<PageContent, "components">,
): string => {
  const names = new Map(components.map(({ id, name }) => [id, name]));
  const chosen = ({ row }: ShownSubscriber): string =>
    (row.components ?? []).map((id) => names.get(id) ?? String(id)).join("; ");
  return csvText([columns, ...all.map((one) => lineOf(one, chosen(one)))]);
};

const lineOf = ({ row, name, to, ending }: ShownSubscriber, components: string) => [
  row.id,
  row.way,
  name,
  to,
  ending,
  subscriberState(row),
  components,
  row.source,
  row.locale,
  isoTime(row.createdAt),
  timeOf(row.acceptedAt),
  timeOf(row.unsubscribedAt),
  timeOf(row.lastSent?.at ?? null),
  row.lastSent === null ? null : row.lastSent.trouble === "" ? "yes" : "no",
  row.trouble,
];
