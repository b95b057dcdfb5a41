/** Boxes of lines that are shown. */
const boxes = 'input[type="checkbox"].pick';

/** A click with Shift ticks all boxes from the one before. */
export function selectMany(): void {
  let last: Element | null = null;
  document.addEventListener("click", (event) => {
    const { target, shiftKey } = event;
    if (!(target instanceof HTMLInputElement) || !target.matches(boxes)) return;
    if (shiftKey && last !== null) tickBetween(last, target);
    last = target;
  });
}

function tickBetween(from: Element, to: HTMLInputElement): void {
  const all = [...document.querySelectorAll<HTMLInputElement>(boxes)];
  const places = [from, to].map((one) => all.findIndex((box) => box === one));
  const [first = 0, end = 0] = places.toSorted((a, b) => a - b);
  for (const box of all.slice(Math.max(0, first), end + 1)) box.checked = to.checked;
}
