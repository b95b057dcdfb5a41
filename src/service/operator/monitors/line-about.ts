import { kindTable } from "#check/kinds/kind-table";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/lines-limits";
import { labelWords } from "#service/operator/lists/label-words";
import { filesChip, filesOf } from "#service/operator/managed-note";
import { type OverviewQuery, queryText } from "#service/operator/overview-query";
import type { PicturedMonitor } from "#service/operator/picture";

/** What a monitor's line says below its name: what it checks, and whose it is. */
export const lineAbout = ({ kind, target, owner }: PicturedMonitor): Html =>
  html`<p class="kind">
    <span class="tag">${kindTable[kind].label}</span>
    <span
      class="target"
      title="${target}${owner === "" ? null : html`, managed by ${filesOf(owner)}`}"
      >${cutInTheMiddle(shortTarget(target))}</span
    >
  </p>`;

/** What it says next to the name: its labels, each of which filters the list, and whose files have it. Null if it has none. */
export function lineLabels({ labels, owner }: PicturedMonitor, query: OverviewQuery): Html | null {
  const pairs = Object.entries(labels);
  if (pairs.length === 0 && owner === "") return null;
  const shown = pairs.slice(0, limits.lineLabelsMax);
  const others = pairs.slice(limits.lineLabelsMax).map(([key, value]) => labelWords(key, value));
  return html`<p class="labels">
    ${shown.map(([key, value]) => labelChip(key, value, query))}${others.length === 0 ? null : html` <span class="chip" title="${others.join(", ")}">+${others.length}</span>`}${filesChip(owner)}
  </p>`;
}

/** Most targets begin with https: what differs is read sooner without it. */
export const shortTarget = (target: string): string =>
  target.replace(/^https:\/\//, "").replace(/^([^/]+)\/$/, "$1");

/**
 * If there is no room for a long one, its beginning is cut at its end, so that the host and the end of the path are read. A
 * compact line cuts all of it at its end, and leaves out `http://`.
 */
function cutInTheMiddle(target: string): Html {
  const scheme = target.startsWith("http://") ? "http://" : "";
  const shownScheme = scheme === "" ? null : html`<span class="scheme">${scheme}</span>`;
  const rest = target.slice(scheme.length);
  if (target.length <= limits.targetWholeChars) return html`${shownScheme}${rest}`;
  const from = rest.length - limits.targetEndChars;
  const at = Math.max(rest.indexOf("/", from), from);
  return html`<span class="begins">${shownScheme}${rest.slice(0, at)}</span
    ><span class="ends">${rest.slice(at)}</span>`;
}

/** Most lines of a list have labels of others. */
const chips = new WeakMap<OverviewQuery, Map<string, Html>>();

const labelChip = (key: string, value: string, query: OverviewQuery): Html =>
  chips
    .getOrInsertComputed(query, () => new Map())
    .getOrInsertComputed(`${key}:${value}`, (pair) => newChip(pair, labelWords(key, value), query));

/** It shows what has the label; that of what is shown shows all again. */
function newChip(pair: string, words: string, query: OverviewQuery): Html {
  const isChosen = query.label === pair;
  const to = queryText({ ...query, label: isChosen ? "" : pair, offset: 0 });
  return html` <a class="chip" href="/${to}" ${isChosen ? html` aria-current="true"` : null}
    >${words}</a
  >`;
}
