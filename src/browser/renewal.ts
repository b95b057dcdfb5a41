import { Idiomorph } from "idiomorph";
import { editedParts } from "#browser/edits";
import { groupByOwnDays } from "#browser/own-days";
import { useOwnZone } from "#browser/utc-fields";

/** How often a page asks for what is new: as old as its picture may be. One that waits for something says how often. */
const renewedEveryMs = (): number =>
  Number(document.querySelector("[data-renew-every]")?.getAttribute("data-renew-every") ?? 10_000);

/** Keeps the page as new as the service's answers. The address of an act's outcome is shown once, and not again. */
export function keepRenewing(): void {
  const again = (): void => void renew().finally(() => setTimeout(again, renewedEveryMs()));
  if (!location.search.includes("notice=")) setTimeout(again, renewedEveryMs());
  document.addEventListener("visibilitychange", () => void renew());
  document.addEventListener("answered", (event) => {
    if (event instanceof CustomEvent && event.detail instanceof Document)
      morphPart("main", event.detail);
  });
}

/** Text that is selected, or a row that is dragged, would become another one; and the answer to a form is at no address. */
const isBusy = (): boolean =>
  document.hidden ||
  String(getSelection()) !== "" ||
  document.querySelector("main[data-once], [data-dragged], [data-unsent]") !== null;

export async function renew(): Promise<void> {
  if (isBusy()) return;
  const fresh = await freshPage();
  if (fresh === null || isBusy()) return;
  document.dispatchEvent(new CustomEvent("renewing", { detail: fresh }));
  const focus = document.activeElement?.getAttribute("href") ?? null;
  for (const part of ["main", ".asof", "footer .programs", '#pages [data-letter="i"]'])
    morphPart(part, fresh);
  document.title = fresh.title;
  keepFocus(focus);
  document.dispatchEvent(new Event("renewed"));
}

/** Null if the service does not answer with a page: e.g. it restarts, or the session ended. */
async function freshPage(): Promise<Document | null> {
  try {
    const headers = { accept: "text/html" };
    const answer = await fetch(location.href, { headers, redirect: "error" });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

function morphPart(part: string, fresh: Document): void {
  const [old, next] = [document.querySelector(part), fresh.querySelector(part)];
  if (old === null || next === null) return;
  groupByOwnDays(next);
  useOwnZone(next);
  const edited = editedParts();
  const isLeft = (node: Node): boolean =>
    node instanceof Element && (edited.has(node) || node.hasAttribute("data-drawn"));
  const holdsLeft = (node: Node): boolean =>
    isLeft(node) || [...edited].some((one) => node.contains(one));
  void Idiomorph.morph(old, next, {
    callbacks: {
      beforeNodeMorphed: (node) => !isLeft(node),
      beforeNodeRemoved: (node) => !holdsLeft(node),
      // What a person opened or closed stays so.
      beforeAttributeUpdated: (name, { localName }) => name !== "open" || localName !== "details",
    },
  });
}

/** Rows move within a list: the cursor moves with the link that it was on. */
function keepFocus(href: string | null): void {
  if (href === null || document.activeElement?.getAttribute("href") === href) return;
  const link = document.querySelector(`a[href="${CSS.escape(href)}"]`);
  if (link instanceof HTMLElement) link.focus({ preventScroll: true });
}
