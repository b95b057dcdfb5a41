import { html, type Html } from "#web/page/html";
import { because, Refusal } from "#service/edge/call-refusal";

/** Says of what a file made where it is changed; nothing of what people made. */
export const managedNote = (owner: string): Html | null =>
  owner === "" ? null : html`<p class="advice">Managed by the file of ${owner}: edit it there.</p>`;

/** What a file made is changed in the file. */
export function refuseManaged({ owner }: { readonly owner: string }): void {
  if (owner !== "")
    throw new Refusal(
      "failed_precondition",
      `it is managed by the file of ${owner}: edit it there`,
      because("MANAGED_BY_FILES", { owner }),
    );
}
