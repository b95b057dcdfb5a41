/*
 * A button that is not taken yet counts down, and says until when: `Send again in 7 s`. It is as wide as before. Whoever
 * changes its form may press it at once. Without this script it can be pressed, and the answer says how long to wait.
 * A button whose answer may take long counts up until it is there: `Trying… 4 s, up to 45 s`.
 */

interface Wait {
  readonly words: string;
  readonly until: number;
}

const waits = new WeakMap<HTMLButtonElement, Wait>();

export function countDown(): void {
  const tick = (): void => {
    for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-wait]"))
      show(button);
    setTimeout(tick, 250);
  };
  tick();
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof Element)) return;
    const form = target.closest("form");
    for (const button of form?.querySelectorAll<HTMLButtonElement>("button[data-wait]") ?? [])
      release(button);
  });
  document.addEventListener(
    "click",
    (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button?.ariaDisabled === "true" && button.dataset["wait"] !== undefined)
        event.preventDefault();
    },
    { capture: true },
  );
  // A form that is held, or stays where it is, is not on its way now.
  addEventListener("submit", ({ defaultPrevented, submitter }) => {
    if (!defaultPrevented && submitter instanceof HTMLButtonElement) countUp(submitter);
  });
}

/** Until what it gives back is called, or the answer is later than it may be. */
export function countUp(button: HTMLButtonElement): () => void {
  const within = Number(button.dataset["trying"] ?? 0) / 1000;
  if (within === 0) return () => {};
  const words = button.textContent;
  const begun = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    button.textContent = words;
  };
  const tick = (): void => {
    const passed = Math.floor((performance.now() - begun) / 1000);
    if (passed > within) return stop();
    button.textContent = `Trying… ${passed}\u00a0s, up to ${within}\u00a0s`;
    timer = setTimeout(tick, 1000);
  };
  tick();
  return stop;
}

function show(button: HTMLButtonElement): void {
  const wait = waits.get(button) ?? begun(button);
  const rest = Math.ceil((wait.until - performance.now()) / 1000);
  if (rest <= 0) return release(button);
  button.ariaDisabled = "true";
  const words = `${button.dataset["waiting"] ?? ""} ${rest} s`;
  if (button.textContent !== words) button.textContent = words;
}

function begun(button: HTMLButtonElement): Wait {
  const wait = {
    words: button.textContent.trim(),
    until: performance.now() + Number(button.dataset["wait"]),
  };
  waits.set(button, wait);
  // As wide as before, whatever it counts: nothing next to it moves.
  button.style.minWidth = `${button.getBoundingClientRect().width}px`;
  return wait;
}

function release(button: HTMLButtonElement): void {
  const words = waits.get(button)?.words;
  if (words !== undefined) button.textContent = words;
  button.ariaDisabled = null;
  delete button.dataset["wait"];
}
