import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { pngOf } from "../../../support/png-picture.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();
const file = { name: "icon.png", mimeType: "image/png", buffer: pngOf(64, 64) };

test.skipIf(!browser.isThere)(
  "an icon is chosen from a file, shown before it is saved, shown to readers, and removed",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/look`);
    const field = page.getByLabel("Picture", { exact: true });
    await field.setInputFiles({ ...file, buffer: Buffer.alloc(400 * 1024) });
    await page.getByText("This file has 400\u00a0KiB, and 256\u00a0KiB are the most.").waitFor();
    await field.setInputFiles(file);
    await page.getByText("Chosen, not saved yet", { exact: true }).waitFor();
    expect(await page.locator(".icon-now canvas").count()).toBe(1);
    expect(await page.locator(".doubt").count()).toBe(0);
    await follow(page.getByRole("button", { name: "Save the look" }));
    const width = await page
      .locator(".icon-now img")
      .evaluate((image) => Reflect.get(image, "naturalWidth"));
    expect(width).toBe(64);
    await page.frameLocator("iframe").locator(".brand img").waitFor();
    await page.goto(`${service.url}/status/acme`);
    const shown = page.locator(".brand img");
    expect(await shown.evaluate((image) => Reflect.get(image, "naturalWidth"))).toBe(64);
    await page.goto(`${service.url}/status-pages/1/look`);
    await page.getByLabel("Remove the icon", { exact: true }).check();
    await follow(page.getByRole("button", { name: "Save the look" }));
    await page.getByText("No icon yet").waitFor();
  },
);

test.skipIf(!browser.isThere).each([true, false])(
  "one button saves an icon and a look; what is refused asks for the file alone again (with scripts: %s)",
  async (javaScriptEnabled) => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/look`);
    const picture = page.getByLabel("Picture", { exact: true });
    const links = page.getByLabel("Accent in light", { exact: true });
    const save = page.getByRole("button", { name: "Save the look" });
    await page.getByLabel("Ocean (blue)").check();
    await links.fill("notacolor");
    await picture.setInputFiles(file);
    await follow(save);
    const mistakes = page.locator(".mistakes");
    expect(await mistakes.innerText()).toContain("Picture must be chosen again");
    expect(await mistakes.innerText()).toContain("Accent in light must be a colour");
    // What is no picture is refused with the look as it was typed.
    await links.fill("#117733");
    await picture.setInputFiles({ ...file, buffer: Buffer.from("no picture") });
    await follow(save);
    expect(await mistakes.innerText()).toContain("Picture must be a PNG");
    expect(await mistakes.innerText()).not.toContain("chosen again");
    expect(await links.inputValue()).toBe("#117733");
    const wrong = page.locator(".field.wrong, .field .wrong-line");
    expect(await wrong.count()).not.toBe(0);
    await picture.setInputFiles(file);
    if (javaScriptEnabled) expect(await wrong.count()).toBe(0);
    await follow(save);
    expect(await page.locator(".icon-now img").count()).toBe(1);
    expect(await page.getByLabel("Ocean (blue)").isChecked()).toBe(true);
    expect(await links.inputValue()).toBe("#117733");
  },
);

test.skipIf(!browser.isThere)(
  "without scripts a file is sent by the form alone, and an SVG picture is shown",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/look`);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><style>path{fill:red}</style><path d="M0 0h40v40H0z"/></svg>';
    await page
      .getByLabel("Picture", { exact: true })
      .setInputFiles({ name: "a.svg", mimeType: "image/svg+xml", buffer: Buffer.from(svg) });
    await follow(page.getByRole("button", { name: "Save the look" }));
    expect(await page.locator(".icon-now img").getAttribute("src")).toMatch(/\.svg$/);
    const inPreview = page.frameLocator("iframe").locator(".brand img");
    await inPreview.waitFor({ timeout: 10_000 });
    const drawn = () => inPreview.evaluate((one) => Reflect.get(one, "naturalWidth"));
    await expect.poll(drawn, { timeout: 5_000 }).toBe(40);
    await page.goto(`${service.url}/status/acme`);
    expect(await page.locator(".brand img").getAttribute("src")).toMatch(/^\/status\/acme\/icon\//);
  },
);

test.skipIf(!browser.isThere)(
  "an SVG is shown before it is saved, and nothing in it runs",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/look`);
    const field = page.getByLabel("Picture", { exact: true });
    const choose = (text: string) =>
      field.setInputFiles({ name: "a.svg", mimeType: "image/svg+xml", buffer: Buffer.from(text) });
    await choose(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="document.title=1"><script>document.title = 1</script><path d="M0 0h40v40H0z"/></svg>',
    );
    const image = page.locator(".icon-now img");
    await image.waitFor();
    await page.getByText("Chosen, not saved yet", { exact: true }).waitFor();
    expect(await image.evaluate((one) => Reflect.get(one, "naturalWidth"))).toBe(40);
    expect(await page.title()).toContain("Acme");
    await choose("no picture");
    await page.getByText("it is shown here once it is saved").waitFor();
    await choose(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>',
    );
    await expect.poll(() => image.evaluate((one) => Reflect.get(one, "naturalWidth"))).toBe(9);
    // Only where an icon is chosen.
    const policyOf = async (path: string): Promise<string> =>
      (await fetch(`${service.url}${path}`)).headers.get("content-security-policy") ?? "";
    expect(await policyOf("/status-pages/1/look")).toContain("img-src 'self' blob:;");
    for (const path of ["/status-pages/1", "/status-pages/1/settings", "/"])
      expect(await policyOf(path)).not.toContain("blob:");
  },
);

test.skipIf(!browser.isThere).each([1_280, 390])(
  "a wide logo keeps its shape next to the title of a page, which is not pushed out, at %i px",
  async (width) => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/look`);
    await page
      .getByLabel("Picture", { exact: true })
      .setInputFiles({ ...file, buffer: pngOf(400, 100) });
    await follow(page.getByRole("button", { name: "Save the look" }));
    const sizeOf = async (which: string) => {
      const box = await page.locator(which).boundingBox();
      return [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)];
    };
    expect(await sizeOf(".icon-now img")).toEqual([186, 48]);
    await page.goto(`${service.url}/status/acme`);
    await page.locator(".brand img").waitFor();
    expect(await sizeOf(".brand img")).toEqual([128, 32]);
    const wide = await page.evaluate(() => Reflect.get(globalThis, "document").body.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
  },
);
