import { html, type Html } from "#web/page/html";
import { because, Refusal } from "#service/edge/call-refusal";

/** Whose files they are. Files that name no owner are those of `files`. */
export const filesOf = (owner: string): string =>
  owner === "files" ? "files" : `the files of ${owner}`;

/** Says of what a file made where it is changed; nothing of what people made. */
export const managedNote = (owner: string): Html | null =>
  owner === "" ? null : html`<p class="advice">Managed by ${filesOf(owner)}: change it there.</p>`;

/** The next step of a monitor of files that no location checks: its form is only shown. */
export const placedInFile: Html = html`Name one in its file, for example
  <code>locations: [office]</code>.`;

/** The same in a list, in two quiet words: who owns it is said on its page. */
export const filesChip = (owner: string): Html | null =>
  owner === ""
    ? null
    : html` <span class="chip files" title="Managed by ${filesOf(owner)}">from files</span>`;

/** What a file made is changed in the file. `what` is named if a form is about several things. */
export function refuseManaged({ owner }: { readonly owner: string }, what = "it"): void {
  if (owner !== "")
    throw new Refusal(
      "failed_precondition",
      `${what} is managed by ${filesOf(owner)}: change it there`,
      because("MANAGED_BY_FILES", { owner }),
    );
}
