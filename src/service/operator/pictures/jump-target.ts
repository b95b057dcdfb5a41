import { kindTable } from "#check/kinds/kind-table";
import { kindWords } from "#check/monitor";
import { pageFilterCharsMax } from "#limits/pages-limits";
import type { PastedMonitor } from "#service/operator/pasted/pasted-fields";
import { pastedMonitor } from "#service/operator/pasted/pasted-monitor";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import type { JumpPlace } from "#service/operator/pictures/jump-places";

/**
 * The form of a new monitor, filled in from a URL, host:port or command that was typed to find something; none for whoever may
 * make none. A word is most likely a name.
 */
export function jumpTarget(text: string, reader: KnownReader): readonly JumpPlace[] {
  // A longer text is cut: what is left of it may be another target.
  if (!mayChange(reader) || text.length >= pageFilterCharsMax) return [];
  const pasted = pastedMonitor(text);
  if (pasted === null || !isMeant(text, pasted) || hasSecret(pasted)) return [];
  const { kind } = pasted;
  const shown = kindTable[kind].shownUri(uriOf(pasted)).replace(/^dns:/, "");
  const words = `New ${kindWords[kind].title} monitor: ${shown}`;
  const query = new URLSearchParams({ paste: text });
  return [{ words, note: "Create", path: `/monitors/new?${query.toString()}` }];
}

const uriOf = ({ fields }: PastedMonitor): string => fields.get("url") ?? fields.get("uri") ?? "";

const isMeant = (text: string, { program }: PastedMonitor): boolean =>
  program !== "" || /^[a-z]+:\/\/|:\d{1,5}(?:[/?]|$)/i.test(text);

/** Such a text is in no address, which a browser keeps: the form itself takes it. */
const hasSecret = (pasted: PastedMonitor): boolean =>
  pasted.rows.some(({ field, values }) => !field.endsWith("_assertions") && values.length > 0) ||
  (pasted.fields.get("body") ?? "") !== "" ||
  /^[a-z]+:\/\/[^/?#]*@|\?.*=/i.test(pasted.fields.get("url") ?? "");
