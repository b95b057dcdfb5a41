/*
 * What drops down from a button closes by Escape, and once a person goes elsewhere. Without this script a second press
 * on the button closes it.
 */

const openDrops = (): readonly HTMLDetailsElement[] => [
  ...document.querySelectorAll<HTMLDetailsElement>("details.drop[open]"),
];

/** Begins to listen. */
export function closeDrops(): void {
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const drop of openDrops()) {
      const isIn = drop.contains(document.activeElement);
      drop.open = false;
      if (isIn) drop.querySelector("summary")?.focus();
    }
  });
  for (const went of ["pointerdown", "focusin"])
    document.addEventListener(went, ({ target }) => {
      for (const drop of openDrops())
        if (target instanceof Node && !drop.contains(target)) drop.open = false;
    });
}
