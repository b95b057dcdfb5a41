import type { Locator, Page } from "playwright-core";
import { complaints, looks, overhang, sizes, snap } from "./browser.ts";

/**
 * What is wrong with a page as people see it, each as a sentence: light and dark, on a desk and on a phone, at 400 %, in
 * forced colours, and on paper. `name` is that of its pictures.
 */
export async function pageFaults(page: Page, name: string): Promise<readonly string[]> {
  const faults: string[] = [];
  const note = async (how: string, found: readonly string[]): Promise<void> => {
    faults.push(...found.map((one) => `${how}: ${one}`));
    const wider = await overhang(page);
    if (wider !== 0) faults.push(`${how}: it is ${wider} px wider than the window`);
  };
  for (const { colorScheme, size, rules } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(sizes[size]);
    await snap(page, `${name}-${colorScheme}-${size}`);
    await note(`${colorScheme}, ${size}`, await complaints(page, rules));
  }
  await page.setViewportSize({ width: 320, height: 256 });
  await note("at 400 %", []);
  await page.setViewportSize(sizes.desktop);
  await page.emulateMedia({ forcedColors: "active" });
  await snap(page, `${name}-forced`);
  await note("forced colours", []);
  await page.emulateMedia({ forcedColors: "none" });
  return faults;
}

/** What is wrong with a page on paper: what can only be pressed is left out, what it says stands there. */
export async function paperFaults(page: Page, name: string): Promise<readonly string[]> {
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  await page.setViewportSize({ width: 794, height: 1_123 });
  await snap(page, `${name}-paper`);
  const pressed = await page.evaluate(() =>
    [
      ...Reflect.get(globalThis, "document").querySelectorAll(
        "form, button, input, select, nav, .act",
      ),
    ]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => one.offsetWidth > 0 && one.offsetHeight > 0)
      .map((one): string => one.outerHTML.slice(0, 120)),
  );
  const faults = pressed.map((one) => `on paper: ${one}`);
  if (!(await page.locator("h1").isVisible())) faults.push("on paper: it has no heading");
  if ((await overhang(page)) !== 0) faults.push("on paper: it is wider than the paper");
  await page.emulateMedia({ media: "screen" });
  return faults;
}

/** What a hand without a mouse cannot reach, or cannot see that it has reached. */
export async function keyboardFaults(page: Page): Promise<readonly string[]> {
  await page.setViewportSize(sizes.desktop);
  await page.evaluate((controls) => {
    const document = Reflect.get(globalThis, "document");
    const styleOf = Reflect.get(globalThis, "getComputedStyle");
    for (const one of document.querySelectorAll(controls))
      one.addEventListener("focus", () => {
        one.dataset.outline = styleOf(one).outlineStyle;
      });
    document.activeElement?.blur();
  }, controls);
  const faults = (): Promise<readonly string[]> =>
    page.evaluate((controls) => {
      const all = [...Reflect.get(globalThis, "document").querySelectorAll(controls)];
      return (
        all
          .filter((one) => one.checkVisibility())
          // A form that is locked says why, and has nothing to fill in.
          .filter((one) => !one.matches(":disabled"))
          // Of a choice, Tab reaches the button that is on, and arrows the others.
          .filter((one) => one.type !== "radio" || one.checked)
          .flatMap((one): string[] => {
            const what = one.outerHTML.slice(0, 120);
            const { outline } = one.dataset;
            if (outline === undefined) return [`Tab does not reach ${what}`];
            return outline === "none" ? [`the focus is not seen on ${what}`] : [];
          })
      );
    }, controls);
  // A time has a stop for each of its parts, and what scrolls has one, too: a second round is enough for both.
  let missing = await faults();
  for (let round = 0; round < 2 && missing.length > 0; round += 1) {
    await stepByTab(page, missing.length + 20);
    missing = await faults();
  }
  return missing;
}

/** Holds Tab down for so many steps, none of which waits until the page shows the one before it. */
async function stepByTab(page: Page, steps: number): Promise<void> {
  await Promise.all(Array.from({ length: steps }, () => page.keyboard.down("Tab")));
  await page.keyboard.up("Tab");
}

const controls = "a[href], button:not([tabindex='-1']), input, select, textarea, summary";

/** Goes to an element with the Tab key alone. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const stepsMax = 300;
  for (let at = 0; at < stepsMax; at += 1) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((one) => one.matches(":focus"))) return;
  }
  throw new Error(`Tab did not reach ${String(target)} in ${stepsMax} steps`);
}
