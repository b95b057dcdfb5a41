let isPressing = false;

/** Begins to watch whether a pointer is pressed. */
export function watchPresses(): void {
  document.addEventListener("pointerdown", () => void (isPressing = true));
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, () => void (isPressing = false));
}

/** Does it now, or as the pressed pointer is released: nothing moves from under it before its click. */
export function afterPress(act: () => void): void {
  if (isPressing) document.addEventListener("pointerup", act, { once: true });
  else act();
}
