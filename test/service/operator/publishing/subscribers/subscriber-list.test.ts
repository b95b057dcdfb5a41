import { expect, test } from "vitest";
import { noAccounts } from "#service/notify/accounts";
import { operatorScene } from "../../../../support/operator-scene.ts";
import { byKey, formTokenIn } from "../../../../support/signed-in.ts";
import { smtpOnThisMachine } from "../../../../support/smtp-account.ts";

const list = "/status-pages/1/subscribers";

/** A page with a confirmed address, one that waits, one that left, and two webhooks. */
async function subscribed(pages: "local" | "signed in" = "local") {
  const smtp = smtpOnThisMachine(2525, "status@acme.test");
  const scene = await operatorScene({ pages, accounts: { ...noAccounts, smtp } });
  const { key } = await scene.service.admin.createApiKey({ name: "test", scope: "write" });
  const call = async (method: string, ask: object): Promise<void> => {
    const path = `/rpc/openstatus.status_page.v1.StatusPageService/${method}`;
    const answer = await fetch(`${scene.service.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify(ask),
    });
    expect(answer.status, await answer.text()).toBe(200);
  };
  await call("CreateStatusPage", { title: "Acme", slug: "acme", customDomain: "acme.example" });
  for (const name of ["Shop", "Desk; help"])
    await call("AddStaticComponent", { pageId: "1", name });
  const add = (name: string, to: object, componentIds: readonly string[] = []) =>
    call("CreatePageSubscription", { pageId: "1", name, componentIds, ...to });
  const mail = (email: string) => ({ emailChannel: { email } });
  const hook = (webhookUrl: string) => ({ webhookChannel: { webhookUrl } });
  await add('=HYPERLINK("https://evil.test")', mail("ann@acme.test"), ["1", "2"]);
  await call("SubscribeToPage", { pageId: "1", email: "bob@acme.test" });
  await add("Cy", mail("cy@other.test"));
  await call("UnsubscribeFromPage", { pageId: "1", email: "cy@other.test" });
  await add("Wall", hook("https://hook.test/planted-path"));
  await add("", hook("https://other.test/in"));
  const text = async (path: string): Promise<string> => (await scene.get(path)).text();
  const ids = async (query: string): Promise<readonly string[]> => {
    const { subscribers } = JSON.parse(await text(`${list}.json${query}`));
    return [...subscribers].map(({ id }) => id);
  };
  return { scene, text, ids };
}

test("a page's subscribers are found by address, name, state and way, and the list says how many are in each state", async () => {
  const { text, ids } = await subscribed();
  expect(await ids("")).toEqual(["1", "2", "4", "5"]);
  expect(await ids("?search=ACME")).toEqual(["1", "2"]);
  expect(await ids("?search=hook.test")).toEqual(["4"]);
  expect(await ids("?search=https://hook.test/planted-path")).toEqual(["4"]);
  expect(await ids("?search=planted")).toEqual([]);
  expect(await ids("?search=wall")).toEqual(["4"]);
  expect(await ids("?search=cy")).toEqual([]);
  expect(await ids("?search=cy&state=unsubscribed")).toEqual(["3"]);
  expect(await ids("?state=confirmed")).toEqual(["1", "4", "5"]);
  expect(await ids("?state=confirmed&way=email")).toEqual(["1"]);
  expect(await ids("?state=unconfirmed")).toEqual(["2"]);
  expect(await ids("?way=webhook")).toEqual(["4", "5"]);
  const words = async (query: string): Promise<string> =>
    (await text(`${list}${query}`)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(await words("")).toContain(
    "All but unsubscribed 4 Subscribed 3 Not confirmed 1 Unsubscribed 1 ",
  );
  expect(await words("?way=email")).toContain(
    "All but unsubscribed 2 Subscribed 1 Not confirmed 1 Unsubscribed 1",
  );
  expect(await words("?search=other.test")).toContain(
    "All but unsubscribed 1 Subscribed 1 Unsubscribed 1",
  );
  expect(await words("?search=nobody")).toContain("There is no such subscriber.");
  // Whoever left is only seen: no one takes that up, or sends something there.
  const left = await text(`${list}?state=unsubscribed`);
  expect(left).toContain("Cy, cy@other.test");
  expect(left).toMatch(/Unsubscribed <time[^]*It gets no news, and is deleted after\s+<time/);
  expect(left).not.toContain("/subscribers/3/");
});

test("the parts of the list keep what was searched for", async () => {
  const { scene, text, ids } = await subscribed();
  const form = formTokenIn(await text("/maintenances/new"));
  for (let made = 0; made < 52; made += 1)
    await scene.post(list, { form, webhook_url: `https://many.test/${made}`, name: "Many" });
  const page = await text(`${list}?search=many.test&state=confirmed&way=webhook`);
  const next = `${list}?search=many.test&amp;state=confirmed&amp;way=webhook&amp;offset=50`;
  expect(page).toContain(`<a href="${next}">Next</a>`);
  expect(page).toContain("1 to 50 of 52");
  expect(await ids("?search=many.test&state=confirmed&way=webhook&offset=50")).toHaveLength(2);
  expect(page).toContain(`${list}.csv?search=many.test&amp;state=confirmed&amp;way=webhook"`);
});

test("a test, a change and a removal lead back to the list from which they were opened", async () => {
  const { scene, text } = await subscribed();
  const form = formTokenIn(await text("/maintenances/new"));
  const narrow = "search=test&state=confirmed&way=webhook";
  const page = await text(`${list}?${narrow}`);
  const written = narrow.replaceAll("&", "&amp;");
  const hidden = `name="list" value="${written}"`;
  expect(page).toContain(hidden);
  const to = async (path: string, fields: Record<string, string>) => {
    const answer = await scene.post(path, { form, list: narrow, ...fields });
    return answer.headers.get("location");
  };
  expect(await to(`${list}/4/test`, {})).toBe(`${list}?${narrow}&notice=tested`);
  expect(page).toContain(`${list}/4/edit?${written}`);
  const edit = await text(`${list}/4/edit?${narrow}`);
  expect(edit).toContain(hidden);
  expect(edit).toContain(`<a href="${list}?${written}">Subscribers of Acme</a>`);
  expect(await to(`${list}/4/edit`, { name: "Wall" })).toBe(`${list}?${narrow}&notice=changed`);
  const removal = await text(`${list}/4/remove?${narrow}`);
  expect(removal).toContain(hidden);
  expect(removal).toContain(`<a class="button" href="${list}?${written}">Cancel</a>`);
  expect(await to(`${list}/4/remove`, {})).toBe(`${list}?${narrow}&deleted=subscriber.4`);
  const refused = await scene.post(`${list}/5/resume`, { form, list: narrow });
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(hidden)]);
});

test("an export has those that the list shows, and nothing in it is run by a spreadsheet", async () => {
  const { scene, text } = await subscribed();
  const file = await scene.get(`${list}.csv?way=email`);
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(file.headers.get("content-disposition")).toBe(
    'attachment; filename="subscribers-acme.csv"',
  );
  expect(file.headers.get("cache-control")).toBe("no-store");
  const lines = (await file.text()).split("\r\n");
  const at = "2026-11-22T12:00:00.000Z";
  expect(lines).toEqual([
    "id,kind,name,to,url_ends_with,state,components,source,language,created_at,confirmed_at,unsubscribed_at,last_sent_at,last_sent_received,trouble",
    `1,email,"'=HYPERLINK(""https://evil.test"")",ann@acme.test,,confirmed,Shop; Desk; help,vendor,en,${at},${at},,,,`,
    `2,email,,bob@acme.test,,unconfirmed,,self_signup,en,${at},,,,,`,
    "",
  ]);
  const all = await text(`${list}.csv`);
  expect(all.split("\r\n")).toHaveLength(6);
  // The URL of a webhook lets anyone write there.
  expect(all).not.toContain("planted");
  expect(await text(`${list}.csv?state=unsubscribed`)).toContain("cy@other.test");
});

test("a reader of the service sees no address, finds none by searching, and exports nothing", async () => {
  const { scene } = await subscribed("signed in");
  const reader = await byKey(scene, "read");
  const page = await reader.text(`${list}?search=ann`);
  expect(page).toContain("Not confirmed");
  expect(page).not.toContain('name="search"');
  expect(page).not.toContain(".csv");
  const { total } = JSON.parse(await reader.text(`${list}.json?search=ann`));
  expect(total).toBe(4);
  expect((await scene.get(`${list}.csv`, { cookie: reader.cookie })).status).toBe(403);
});
