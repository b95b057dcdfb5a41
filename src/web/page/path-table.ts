import { between, type EpochMillis, nanosToMillis } from "#base/units";
import type { KnownPath } from "#check/known-path";
import { changeWords, hopWords } from "#check/path-words";
import { dayAndTime, isoTime, latencyWords, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/* A path as both halves show it: hop by hop with when each last answered, and what changed of it. */

export const pathColumns = ["Hop", "Router", "Round trip", "Last answer"] as const;

/** A row for each hop, those that never answer included, and the target. */
export function pathRows(path: KnownPath, at: EpochMillis): readonly Html[] {
  const last = path.length === null ? (path.hops.at(-1)?.ttl ?? 0) : path.length - 1;
  const rows = Array.from({ length: last }, (_, index) => {
    const hop = path.hops.find(({ ttl }) => ttl === index + 1);
    return html`<tr>
      <th scope="row">${index + 1}</th>
      <td>${hop === undefined ? "does not answer" : hopWords(hop)}</td>
      <td>
        ${hop === undefined || hop.roundTrip === null ? null : latencyWords(nanosToMillis(hop.roundTrip))}
      </td>
      <td>${hop === undefined ? null : `${span(between(hop.seenAt, at))} ago`}</td>
    </tr>`;
  });
  const end = html`<tr>
    <th scope="row">${path.length ?? last + 1}</th>
    <td>${path.length === null ? "the target, which does not answer traces" : "the target"}</td>
    <td></td>
    <td></td>
  </tr>`;
  return [...rows, end];
}

export function pathChangeList({ changes }: Pick<KnownPath, "changes">): Html {
  if (changes.length === 0) return html`<p>No change of this path was seen.</p>`;
  return html`<ul class="path-changes" aria-label="Changes of the path">
    ${changes.map(
      (change) =>
        html`<li>
          <time datetime="${isoTime(change.at)}">${dayAndTime(change.at)}</time>:
          ${changeWords(change)}
        </li>`,
    )}
  </ul>`;
}
