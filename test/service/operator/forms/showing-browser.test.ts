import { expect, test } from "vitest";
import { openPeople } from "#service/people/open-people";
import { pageFaults } from "../../../support/page-faults.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** The page on which a new person chooses a password. */
async function joining(javaScriptEnabled: boolean) {
  const here = await operatorScene({ pages: "signed in", days: 0 });
  await using opened = await openPeople(here.database, here.clock);
  const ann = { name: "Ann", email: "ann@example.com", role: "editor" } as const;
  const { token } = await opened.people.invite(ann);
  const context = await browser.newContext({ javaScriptEnabled });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  await page.goto(`${here.service.url}/join?link=${token}`);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

test.skipIf(!isThere)("a new password is shown on request, and hidden as it is sent", async () => {
  await using scene = await joining(true);
  const { page } = scene;
  const field = page.locator('input[name="password"]');
  const type = () => field.getAttribute("type");
  await field.fill("short");
  expect(await type()).toBe("password");
  await page.getByRole("button", { name: "Show" }).click();
  expect([await type(), await field.inputValue()]).toEqual(["text", "short"]);
  expect(await pageFaults(page, "join-shown")).toEqual([]);
  await page.getByRole("button", { name: "Hide" }).click();
  expect(await type()).toBe("password");
  await page.getByRole("button", { name: "Show" }).click();
  // As the browser sends it, the field is none whose text it would offer again.
  const sent = page.evaluate<string>(
    `new Promise((resolve) => addEventListener("submit", () => resolve(document.querySelector('input[name="password"]').type)))`,
  );
  await page.getByRole("button", { name: "Set the password" }).click();
  expect(await sent).toBe("password");
  await page.getByText("The password needs at least 12 characters").waitFor();
});

test.skipIf(!isThere)("without a script there is no button that would do nothing", async () => {
  await using scene = await joining(false);
  const { page } = scene;
  await page.locator('input[name="password"]').waitFor();
  expect(await page.getByRole("button", { name: "Show" }).isVisible()).toBe(false);
});
