import { Idiomorph } from "idiomorph";

/*
 * A status page as new as the service's answers, for whoever leaves it open: the heading, the components and the time as of
 * which it is. What its reader opened stays open. Without this script the page is as it was when it was loaded.
 */

/** A page is made again every ten seconds; a reader who looks does not wait for longer than this. */
const renewedEveryMs = 20_000;

/** Whether a group was open as the service answered it last, by the group's id: what a reader opened is not in it. */
const answered = new Map<string, boolean>();

/** Its groups, and whether the service says that each is open. */
function answeredGroups(page: Document): readonly (readonly [id: string, isOpen: boolean])[] {
  return [...page.querySelectorAll(".group")].map((group) => [
    group.id,
    group.querySelector("details")?.open === true,
  ]);
}

const remember = (page: Document): void => {
  for (const [id, isOpen] of answeredGroups(page)) answered.set(id, isOpen);
};

/** Text that is selected would become another one. */
const isBusy = (): boolean => document.hidden || String(getSelection()) !== "";

async function renew(): Promise<void> {
  if (isBusy()) return;
  const fresh = await freshPage();
  if (fresh === null || isBusy()) return;
  document.dispatchEvent(new CustomEvent("fetched", { detail: fresh }));
  const before = headline();
  for (const part of ["header", "main", "footer"]) morphPart(part, fresh);
  document.title = fresh.title;
  openWhatWentWrong(fresh);
  remember(fresh);
  document.dispatchEvent(new Event("renewed"));
  // Whoever does not see the heading hears of it if it says something else.
  if (headline() !== before)
    document.dispatchEvent(new CustomEvent("spoken", { detail: headline() }));
}

const headline = (): string => document.querySelector("h1")?.textContent.trim() ?? "";

/** Null if the service does not answer with a page. Its tag makes most answers a 304. */
async function freshPage(): Promise<Document | null> {
  try {
    const headers = { accept: "text/html" };
    const init = { headers, redirect: "error", cache: "no-cache" } as const;
    const answer = await fetch(location.href, init);
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

/** The bubble over a day is of no answer, and the day that it is about is marked by the page alone. */
function morphPart(part: string, fresh: Document): void {
  const [old, next] = [document, fresh].map((page) => page.querySelector(`body > ${part}`));
  if (old === null || old === undefined || next === null || next === undefined) return;
  void Idiomorph.morph(old, next, {
    callbacks: {
      beforeNodeRemoved: (node) => !(node instanceof Element && node.matches(".day")),
      beforeAttributeUpdated: (name, element) =>
        (name !== "open" || element.localName !== "details") &&
        (name !== "class" || !element.matches(".said")),
    },
  });
}

/** A group in which something went wrong since opens by itself, once: whoever closes it has seen it. */
function openWhatWentWrong(fresh: Document): void {
  for (const [id, isOpen] of answeredGroups(fresh)) {
    const fold = document.getElementById(id)?.querySelector("details");
    if (isOpen && answered.get(id) === false && fold !== null && fold !== undefined)
      fold.open = true;
  }
}

// A form holds what its reader types, its answer is at no address, and a preview is renewed by the page around it.
if (document.querySelector("main form, main[data-once]") === null && window.top === window.self) {
  remember(document);
  const again = (): void => void renew().finally(() => setTimeout(again, renewedEveryMs));
  setTimeout(again, renewedEveryMs);
  document.addEventListener("visibilitychange", () => void renew());
}
