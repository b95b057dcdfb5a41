import type { Detail, Fact } from "#check/fact";
import { measured } from "#check/kinds/measured";
import type { DnsOutcome } from "#check/outcome";

/** In brief, more records than this are counted, not shown. */
const recordsShown = 3;

export function dnsFacts(
  { server, rcode, transport, measuredBy, records }: DnsOutcome,
  detail: Detail,
): readonly Fact[] {
  const facts: Fact[] = [];
  if (server !== null) {
    const over = transport === null ? "" : ` over ${transport.toUpperCase()}`;
    const value = `${rcode ?? "none"} from ${server}${over}${measured(measuredBy, detail)}`;
    facts.push({ label: "Answer", value });
  }
  const values = records.map(({ type, value }) => `${type} ${value}`);
  if (detail === "full")
    return [...facts, ...values.map((value): Fact => ({ label: "Record", value }))];
  const more = values.length - recordsShown;
  const shown = [...values.slice(0, recordsShown), ...(more > 0 ? [`${more} more`] : [])];
  if (shown.length > 0) facts.push({ label: "Records", value: shown.join(", ") });
  return facts;
}
