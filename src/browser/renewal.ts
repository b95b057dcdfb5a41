import { Idiomorph } from "idiomorph";
import { editedParts } from "#browser/edits";
import { sayRenewed, sayUnrenewed } from "#browser/holding";
import { groupByOwnDays } from "#browser/own-days";
import { useOwnZone } from "#browser/utc-fields";

/** How often a page asks for what is new: as old as its picture may be. One that waits for something says how often. */
const renewedEveryMs = (): number =>
  Number(document.querySelector("[data-renew-every]")?.getAttribute("data-renew-every") ?? 10_000);

/** How soon a service that did not answer is asked again. */
const askedAgainMs = 2000;
let isAway = false;

/** Keeps the page as new as the service's answers; what became of an act stays on it, as its address says. */
export function keepRenewing(): void {
  const again = (): void =>
    void renew().finally(() => setTimeout(again, isAway ? askedAgainMs : renewedEveryMs()));
  setTimeout(again, renewedEveryMs());
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
  isAway = fresh === unrenewed.away;
  if (typeof fresh === "string") return sayUnrenewed(fresh);
  sayRenewed();
  if (isBusy()) return;
  document.dispatchEvent(new CustomEvent("renewing", { detail: fresh }));
  const focus = document.activeElement?.getAttribute("href") ?? null;
  for (const part of ["main", ".asof", "footer .programs", '#pages [data-letter="i"]'])
    morphPart(part, fresh);
  document.title = fresh.title;
  keepFocus(focus);
  document.dispatchEvent(new Event("renewed"));
}

/** Why a page shows what was, in the words that a person reads. */
const unrenewed = {
  away: "The service does not answer: this page shows how it was",
  signedOut: "You are signed out here: reload this page to sign in again. It shows how it was",
  gone: "What this page is about is no longer there. It shows how it was",
} as const;

/** Or why there is none: the service is away, e.g. it restarts, the session ended, or another tab deleted it. */
async function freshPage(): Promise<Document | string> {
  try {
    const headers = { accept: "text/html" };
    const answer = await fetch(location.href, { headers, redirect: "manual" });
    if (answer.ok) return new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.type === "opaqueredirect") return unrenewed.signedOut;
    if (answer.status === 404) return unrenewed.gone;
    return answer.status < 500
      ? `The service refuses to renew this page (status ${answer.status}). It shows how it was`
      : unrenewed.away;
  } catch {
    return unrenewed.away;
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
