let isPressing = false;
const waiting: (() => void)[] = [];

/** Begins to watch whether a pointer is pressed that may become a click. */
export function watchPresses(): void {
  const press = ({ button }: PointerEvent): void => {
    if (button === 0) isPressing = true;
  };
  document.addEventListener("pointerdown", press, true);
  // A touch that scrolls ends with a cancel. A menu or another window may take the end of a press.
  for (const end of ["pointerup", "pointercancel", "contextmenu"])
    document.addEventListener(end, release, true);
  addEventListener("blur", release);
}

function release(): void {
  isPressing = false;
  for (const act of waiting.splice(0)) setTimeout(act);
}

/** Does it now, or after the click of the pointer that is pressed: nothing moves from under it before. */
export function afterPress(act: () => void): void {
  if (isPressing) waiting.push(act);
  else act();
}
