import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** Which part of a list is shown. */
interface ShownPart {
  readonly label: string;
  readonly offset: number;
  /** Of one page. */
  readonly size: number;
  readonly matched: number;
  /** The address of another part. */
  readonly to: (offset: number) => string;
}

/** Links to the parts before and after; nothing if all is shown. */
export function pagingNav({ label, offset, size, matched, to }: ShownPart): Html | null {
  if (offset === 0 && matched <= size) return null;
  const link = (at: number, words: string): Html => html`<a href="${to(at)}">${words}</a>`;
  const range =
    offset >= matched
      ? "none"
      : `${grouped(offset + 1)} to ${grouped(Math.min(matched, offset + size))}`;
  return html`<nav class="paging" aria-label="${label}">
    <span>${range} of ${grouped(matched)}</span>
    ${offset > 0 ? link(Math.max(0, offset - size), "Previous") : null}
    ${offset + size < matched ? link(offset + size, "Next") : null}
  </nav>`;
}
