import { expect, test } from "vitest";
import { operatorScene } from "../../../../support/operator-scene.ts";
import { byKey } from "../../../../support/signed-in.ts";

const wordsIn = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
const browser = { accept: "text/html" };

test("the address of a draft says so to whoever is signed in, and to no one else", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const { send, cookie } = await byKey(scene, "write");
  await send("/status-pages", { title: "Acme <b>", slug: "acme" });
  const said = async (path: string, headers: Record<string, string>) => {
    const answer = await scene.get(path, headers);
    return [answer.status, await answer.text()] as const;
  };
  const [status, page] = await said("/status/acme", { ...browser, cookie });
  expect(status).toBe(404);
  expect(wordsIn(page)).toContain(
    "Acme &lt;b&gt; is a draft You see this because you are signed in. Anyone else sees “Not found” at this address until the page is published.",
  );
  expect(page).toContain('href="/status-pages/1">Open its settings<');
  const [, below] = await said("/status/acme/events", { ...browser, cookie });
  expect(wordsIn(below)).toContain("is a draft");
  const missing = await said("/status/none", browser);
  expect(missing[1]).toContain("There is no such status page.");
  expect(await said("/status/acme", browser)).toEqual(missing);
  const wrong = { ...browser, cookie: `${cookie}x` };
  expect(await said("/status/acme", wrong)).toEqual(await said("/status/none", wrong));
  const program = { accept: "application/json", cookie };
  expect(await said("/status/acme", program)).toEqual(await said("/status/none", program));
  expect((await said("/status/none", { ...browser, cookie }))[1]).toBe(missing[1]);
  await send("/status-pages/1/publish");
  expect((await said("/status/acme", { ...browser, cookie }))[0]).toBe(200);
});
