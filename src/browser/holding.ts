/*
 * A form is sent once the service answers. While it does not, e.g. because it restarts, what was typed stays in the page,
 * and the form is sent as soon as the service is back. A question that changes nothing goes first, and the browser then
 * sends the form once and by itself. So redirects, files and refusals are as without this script, and nothing is made
 * twice: an attempt that might have arrived is never repeated.
 */

const firstPauseMs = 1000;
const longestPauseMs = 8000;
/** A service that takes so long to say that it is there is said not to answer, while it is still asked. */
const patienceMs = 3000;
const timeoutMs = 10_000;
const askedEveryMs = 8000;

interface WaitingForm {
  readonly form: HTMLFormElement;
  readonly button: HTMLElement | null;
}

let held: WaitingForm | null = null;
let isPassing = false;
let said: HTMLElement | null = null;
let again: ReturnType<typeof setTimeout> | undefined;

/** Whether a form waits to be sent: what it says is not to change under it. */
export const isHeld = (): boolean => held !== null;
/** Whether the form that is being sent waited, so the scripts that send some forms themselves leave it to the browser. */
export const isReleased = (): boolean => isPassing;

/** Begins to hold forms, and to say while a person types that the service is away. */
export function holdForms(): void {
  addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (event.defaultPrevented || isPassing || !(target instanceof HTMLFormElement)) return;
    // By its attribute: a form with a field called method, as that of an HTTP monitor, has the field as its property.
    const method = submitter?.getAttribute("formmethod") ?? target.getAttribute("method");
    if (method?.toLowerCase() !== "post") return;
    event.preventDefault();
    hold(target, submitter);
  });
  document.addEventListener("input", watch);
}

/** Sends the form as the button does, once the service answers. */
export function hold(form: HTMLFormElement, button: HTMLElement | null): void {
  held?.form.removeAttribute("data-unsent");
  held = { form, button };
  form.dataset["unsent"] = "";
  void attempt(firstPauseMs);
}

async function attempt(pause: number): Promise<void> {
  clearTimeout(again);
  const one = held;
  if (one === null) return;
  const late = setTimeout(() => sayHeld(one), patienceMs);
  const isThere = await isAnswering();
  clearTimeout(late);
  if (held !== one) return;
  if (isThere) return release(one);
  sayHeld(one);
  clearTimeout(again);
  again = setTimeout(() => void attempt(Math.min(2 * pause, longestPauseMs)), pause);
}

function letGo({ form }: WaitingForm): void {
  clearTimeout(again);
  form.removeAttribute("data-unsent");
  held = null;
  unsay();
}

function release(one: WaitingForm): void {
  const { form, button } = one;
  letGo(one);
  // What another answer took the place of is in the page no more.
  if (!form.isConnected || button?.isConnected === false) return;
  isPassing = true;
  form.requestSubmit(button);
  isPassing = false;
}

/** A proxy answers in place of a service that is away. A redirect, e.g. to sign in, is for the browser to follow. */
async function isAnswering(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const redirect = "manual";
    const { status } = await fetch("/icon.svg", {
      method: "HEAD",
      cache: "no-store",
      redirect,
      signal,
    });
    return status < 502 || status > 504;
  } catch {
    return false;
  }
}

function sayHeld(one: WaitingForm): void {
  if (held !== one || said?.role === "alert") return;
  const { form, button } = one;
  const what =
    form.querySelector("input:not([type=hidden]), select, textarea") === null
      ? `“${button?.textContent.trim() ?? "The form"}” is not done yet`
      : "What you typed is still here";
  say(
    "alert",
    `The service does not answer. ${what}; the service is asked again every few seconds.`,
    [
      ["Ask again", () => void attempt(firstPauseMs)],
      ["Cancel", () => letGo(one)],
    ],
  );
}

function say(role: string, words: string, buttons: readonly [string, () => void][]): void {
  // What is said again would be read aloud again.
  if (said?.role === role && said.querySelector("p")?.textContent === words) return;
  unsay();
  said = document.createElement("div");
  said.className = "unanswered";
  said.role = role;
  const line = document.createElement("p");
  line.textContent = words;
  said.append(line);
  for (const [name, act] of buttons) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", act);
    said.append(button);
  }
  document.body.append(said);
}

/** Says why the page could not be renewed, and since when. A form that waits says more, and a person who types hears it once. */
export function sayUnrenewed(why: string): void {
  if (held !== null || isWatching) return;
  const asOf = document.querySelector(".asof time")?.textContent ?? "";
  say("status", `${why} at ${asOf}.`, []);
}

export function sayRenewed(): void {
  if (held === null && !isWatching) unsay();
}

function unsay(): void {
  said?.remove();
  said = null;
}

let isWatching = false;

/** Asks from time to time whether the service is there, once a person types what they will send. */
function watch({ target }: Event): void {
  if (isWatching || !(target instanceof Element) || target.closest("form.form") === null) return;
  isWatching = true;
  const ask = async (failures: number): Promise<void> => {
    const isThere = document.hidden || held !== null || (await isAnswering());
    if (held === null && isThere) unsay();
    if (held === null && failures === 1 && !isThere)
      say("status", "The service does not answer at the moment; keep typing.", []);
    const pause = isThere ? askedEveryMs : firstPauseMs * 2;
    setTimeout(() => void ask(isThere ? 0 : failures + 1), pause);
  };
  setTimeout(() => void ask(0), askedEveryMs);
}
