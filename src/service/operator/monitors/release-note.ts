import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { PicturedMonitor } from "#service/operator/picture";

/** Which acts the bar has that not every page offers. */
interface OfferedActs {
  readonly acknowledges: boolean;
  readonly assigns: boolean;
}

/**
 * Said before anything is tried, if files own some or all of what is selected: how many they are, and behind that, which
 * acts leave them as they are and what to do instead.
 */
export const filesNote = (
  monitors: readonly Pick<PicturedMonitor, "owner">[],
  ofFiles: number,
  { acknowledges, assigns }: OfferedActs,
): Html =>
  html`<details name="many" class="drop files-note">
    <summary class="button bare">
      <span class="filed" data-found="${grouped(ofFiles)}">from files<i class="only"></i></span>
    </summary>
    <div class="together dropped">
      <p class="only">Files manage what you selected: change it in the files.</p>
      <p class="some">
        Pause, Resume, Label${assigns ? ", Location" : null} and Delete leave those from files as
        they are: change them in the files.
      </p>
      <p>
        All that you selected can be
        silenced${acknowledges ? html`<span class="waiting"> and acknowledged</span>` : null} here.
      </p>
      <p>To let people change them, take them from their files with:</p>
      ${commandsOf(monitors)}
    </div>
  </details>`;

/** A command for each owner. A script puts the names of what is selected into it. */
function commandsOf(monitors: readonly Pick<PicturedMonitor, "owner">[]): readonly Html[] {
  const owners = [...new Set(monitors.map(({ owner }) => owner))].filter((owner) => owner !== "");
  return owners
    .toSorted()
    .slice(0, ownersNamedMax)
    .map((owner, at) =>
      copiedCommand(
        `release-${at}`,
        html`<code id="release-${at}" data-owner="${owner}"
          >${releaseCommand(owner, ["NAME"])}</code
        >`,
      ),
    );
}

/** A command with the button that copies it. */
export const copiedCommand = (id: string, command: Html): Html =>
  html`${command} <button type="button" class="small copy" data-copies="${id}">Copy</button>`;

/** More lines would hide the list behind the bar. */
const ownersNamedMax = 10;

/** What takes monitors from the files of an owner, for people to change. */
export const releaseCommand = (owner: string, names: readonly string[]): string =>
  `picket import monitor ${names.map(shellWord).join(" ")} --release --from ${shellWord(owner)}`;

const shellWord = (text: string): string =>
  /^[\w.@%+=:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
