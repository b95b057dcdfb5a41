import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { PicturedMonitor } from "#service/operator/picture";

/** Said before anything is tried, if files own some or all of what is selected. */
export const filesNotes = (
  monitors: readonly Pick<PicturedMonitor, "owner">[],
  { count, ofFiles }: { readonly count: number; readonly ofFiles: number },
): Html =>
  html`<div class="files-note only">
      <p>
        Files manage what you selected: change it in the files, or acknowledge or silence it here.
        To let people change it, take it from its files with:
      </p>
      ${commandsOf(monitors)}
    </div>
    <p class="files-note some">
      <span class="filed" data-found="${grouped(ofFiles)} of ${grouped(count)}"></span> from files:
      change those in the files. Acknowledge and Silence are for all, other acts for the rest.
    </p>`;

/** A command for each owner. A script puts the names of what is selected into it. */
function commandsOf(monitors: readonly Pick<PicturedMonitor, "owner">[]): readonly Html[] {
  const owners = [...new Set(monitors.map(({ owner }) => owner))].filter((owner) => owner !== "");
  return owners
    .toSorted()
    .slice(0, ownersNamedMax)
    .map(
      (owner) =>
        html`<code data-owner="${owner}"
          >picket import monitor NAME --release --from ${shellWord(owner)}</code
        >`,
    );
}

/** More lines would hide the list behind the bar. */
const ownersNamedMax = 3;

const shellWord = (text: string): string =>
  /^[\w.@%+=:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
