import { nameOrder } from "#base/name-order";
import * as limits from "#limits/lines-limits";
import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { placeList } from "#service/operator/lists/place-list";
import { copiedCommand, releaseCommand } from "#service/operator/monitors/release-note";
import type { MonitorRow } from "#service/store/state-store";

/* Which monitors a question before an act on many is about, and which of the selected it leaves as they are. */

/** The first of their names, and the others where a person opens them. */
export function askedNames(rows: readonly MonitorRow[]): Html {
  const names = namesIn(rows);
  const more = names.slice(limits.askedNamesShown, limits.askedNamesMax);
  const rest = names.length - limits.askedNamesShown;
  return html`${listOf(names.slice(0, limits.askedNamesShown))}
  ${
    rest <= 0
      ? null
      : html`<details>
          <summary>And ${grouped(rest)} more</summary>
          ${listOf(more)}${unnamed(rest - more.length)}
        </details>`
  }`;
}

const listOf = (names: readonly string[]): Html =>
  html`<ul>
    ${names.map((name) => html`<li>${name}</li>`)}
  </ul>`;

const unnamed = (count: number): Html | null =>
  count === 0
    ? null
    : html`<p>${counted(count, "monitor")} more: search for fewer to see them.</p>`;

/** Those of files, which stay as they are, and what to do first so that people may change them. */
export function ofFilesAsked(rows: readonly MonitorRow[]): Html | null {
  const ofFiles = rows.filter(({ owner }) => owner !== "");
  if (ofFiles.length === 0) return null;
  const isOne = ofFiles.length === 1;
  const owners = [...Map.groupBy(ofFiles, ({ owner }) => owner)].toSorted(([a], [b]) =>
    nameOrder(a, b),
  );
  return html`<p class="advice">
      ${counted(ofFiles.length, "monitor")} from files
      ${isOne ? "stays as it is" : "stay as they are"}: ${placeList(namesIn(ofFiles))}. Change
      ${isOne ? "it" : "them"} in the files.
    </p>
    <details>
      <summary>How to let people change ${isOne ? "it" : "them"}</summary>
      <p>First take ${isOne ? "it" : "them"} from the files with:</p>
      ${owners.map(([owner, own], at) => commandOf(owner, own, `release-${at}`))}
    </details>`;
}

function commandOf(owner: string, rows: readonly MonitorRow[], id: string): Html {
  const names = namesIn(rows).slice(0, limits.askedNamesMax);
  return html`<p>
      ${copiedCommand(id, html`<code id="${id}">${releaseCommand(owner, names)}</code>`)}
    </p>
    ${unnamed(rows.length - names.length)}`;
}

const namesIn = (rows: readonly MonitorRow[]): readonly string[] =>
  rows.map(({ definition }) => definition.name).toSorted(nameOrder);
