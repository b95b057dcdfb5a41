import { describe, expect, test } from "vitest";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { StoreFault } from "#service/store/store-fault";
import { follow } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { keyboardFaults, pageFaults } from "../../support/page-faults.ts";
import { generatedPage } from "../../support/status-page-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** A store whose lists of incidents and changes cannot be read while it is away. */
function awayStore(): { isAway: boolean; readonly opensStore: typeof openStoreHere } {
  const here = {
    isAway: false,
    opensStore: async (...place: Parameters<typeof openStoreHere>) => {
      const store = await openStoreHere(...place);
      const { incidents } = store.alerts;
      const unlessAway = async <T>(read: () => Promise<T>): Promise<T> => {
        if (here.isAway) throw new StoreFault("store_locked", "it is away");
        return read();
      };
      const list: typeof incidents.list = (asked) => unlessAway(() => incidents.list(asked));
      const changes: typeof store.audit.list = (asked) => unlessAway(() => store.audit.list(asked));
      return {
        ...store,
        audit: { ...store.audit, list: changes },
        alerts: { ...store.alerts, incidents: { ...incidents, list } },
      };
    },
  };
  return here;
}

describe("what is not shown or not done", () => {
  test("is a page with what to do next for a browser, and one line for a program", async () => {
    const here = awayStore();
    const { get, post, service } = await operatorScene({ opensStore: here.opensStore });
    const seen = async (path: string, accept: string): Promise<string> => {
      const answer = await get(path, { accept });
      const text = await answer.text();
      const heading = /<h1 class="target">([^<]+)/.exec(text)?.[1] ?? text.trim();
      return `${answer.status} ${answer.headers.get("refresh") ?? "-"} ${heading}`;
    };
    expect(await seen("/incidents/99", "text/html")).toBe("404 - Not found");
    expect(await seen("/incidents/99", "*/*")).toBe(
      "404 - There is no such incident. All are listed at /incidents",
    );
    expect(await (await get("/incidents/99")).text()).toContain(
      'All are listed at <a href="/incidents">/incidents</a>',
    );
    expect(await seen("/nothing/here", "text/html")).toBe("404 - Not found");
    const lost = await (await get("/nothing/here", { accept: "text/html" })).text();
    expect(lost).toContain('href="/incidents"');
    expect(lost).toContain("All monitors");
    expect(await seen("/nothing/here", "*/*")).toBe(
      '404 - {"code":"not_found","message":"there is nothing here"}',
    );
    expect(await seen("/incidents?state=odd", "text/html")).toBe("400 - This was not done");
    here.isAway = true;
    expect(await seen("/incidents", "text/html")).toBe("503 5 Not available right now");
    expect(await seen("/incidents", "*/*")).toBe(
      "503 - The database cannot be used just now: try again.",
    );
    // Who deleted it cannot be read now, but there is a page that says it is not there.
    expect(await seen("/monitors/99", "text/html")).toBe("404 - Not found");
    here.isAway = false;
    const fromElsewhere = { form: "x", comment: "<b>planted</b>" };
    const foreign = await post("/incidents/7/comment", fromElsewhere, {
      origin: "https://evil.test",
    });
    expect(foreign.status).toBe(403);
    expect(await foreign.text()).not.toContain("planted");
    const own = await post("/incidents/7/comment", fromElsewhere, { origin: service.url });
    const kept = await own.text();
    expect(kept).toContain("This form was too old");
    expect(kept).toContain("&lt;b&gt;planted&lt;/b&gt;");
  });

  test.skipIf(!isThere)(
    "is accessible and fits a phone, and the keyboard reaches its way out",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext();
      const page = await context.newPage();
      const faults: string[] = [];
      await page.goto(`${service.url}/incidents/99`);
      faults.push(...(await pageFaults(page, "fault-not-found")), ...(await keyboardFaults(page)));
      await page.goto(`${service.url}/incidents/7`);
      await page.getByLabel("Comment").fill("we look at it\nnow");
      await page.locator('input[name="form"]').evaluateAll((all) => {
        for (const one of all) Reflect.set(one, "value", "old");
      });
      await follow(page.getByRole("button", { name: "Comment" }));
      faults.push(...(await pageFaults(page, "fault-too-old")), ...(await keyboardFaults(page)));
      expect(faults.join("\n")).toBe("");
    },
  );
});

describe("what a person typed", () => {
  test.skipIf(!isThere)("is taken if the service was restarted meanwhile", async () => {
    const scene = await operatorScene();
    const { service, database, clock } = scene;
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/incidents/7`);
    await page.getByLabel("Comment").fill("first line\n\n- second <line>");
    // A browser may keep a connection on which it asks nothing yet.
    service.abandon();
    await service[Symbol.asyncDispose]();
    const own = { database, host: "127.0.0.1", port: service.port } as const;
    await using again = await startService({
      ...own,
      clock,
      log: silentLogger,
      pages: "local",
      opensStore: openStoreHere,
    });
    await follow(page.getByRole("button", { name: "Comment" }));
    expect(await page.getByRole("status").innerText()).toBe("Your comment is in the timeline.");
    const { comments } = JSON.parse(await (await fetch(`${again.url}/incidents/7.json`)).text());
    expect(comments[0].message).toBe("first line\n\n- second <line>");
  });

  test.skipIf(!isThere)("is sent after all if its form was sealed with another key", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    // The page of an earlier database.
    await page.route(`${service.url}/incidents/7`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(
        /name="form" value="[^"]*"/g,
        'name="form" value="x"',
      );
      await route.fulfill({ response, body });
    });
    await page.goto(`${service.url}/incidents/7`);
    await page.getByLabel("Comment").fill("first line\n\n- second <line>");
    await follow(page.getByRole("button", { name: "Comment" }));
    expect(await page.locator("h1").innerText()).toBe("This form was too old");
    await page.unroute(`${service.url}/incidents/7`);
    await follow(page.getByRole("button", { name: "Send it again" }));
    expect(await page.getByRole("status").innerText()).toBe("Your comment is in the timeline.");
  });

  test.skipIf(!isThere)("can be copied if what it was for was deleted in another tab", async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const [page, other] = [await context.newPage(), await context.newPage()];
    await page.goto(`${service.url}/reports/1`);
    await page.getByLabel("Message", { exact: true }).fill("A sentence that took long");
    await other.goto(`${service.url}/reports/1`);
    await follow(other.getByRole("link", { name: "Delete the report…" }));
    await follow(other.getByRole("button", { name: "Delete" }));
    await follow(page.getByRole("button", { name: "Publish the update" }));
    expect(await page.locator("h1").innerText()).toBe("This report was deleted");
    expect(await page.locator("main dd").innerText()).toBe("A sentence that took long");
  });
});
