let isPressing = false;

/** Begins to watch whether a pointer is pressed. */
export function watchPresses(): void {
  document.addEventListener("pointerdown", () => void (isPressing = true));
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, () => void (isPressing = false));
}

/** Does it now, or after the click of the pointer that is pressed: nothing moves from under it before. */
export function afterPress(act: () => void): void {
  if (!isPressing) return act();
  const later = (): void => void setTimeout(act);
  document.addEventListener("pointerup", later, { once: true });
}
