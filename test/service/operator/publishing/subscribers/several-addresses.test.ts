import { expect, test } from "vitest";
import { noAccounts } from "#service/notify/accounts";
import { addressesIn } from "#service/operator/publishing/subscribers/several-addresses";
import { operatorScene } from "../../../../support/operator-scene.ts";
import { formTokenIn } from "../../../../support/signed-in.ts";
import { smtpOnThisMachine } from "../../../../support/smtp-account.ts";

const list = "/status-pages/1/subscribers";

test("several addresses are read from lines, lists and names, and one or a webhook is not several", () => {
  expect(addressesIn("ann@acme.test\nbob@acme.test, cy@acme.test;ANN@acme.test")).toEqual([
    "ANN@acme.test",
    "bob@acme.test",
    "cy@acme.test",
  ]);
  expect(addressesIn("Ann B <ann@acme.test>, Bob <bob@acme.test>")).toEqual([
    "ann@acme.test",
    "bob@acme.test",
  ]);
  for (const one of ["", "ann@acme.test", "https://hook.test/a https://hook.test/b"])
    expect(addressesIn(one)).toBeNull();
});

test("several addresses are added in one act that says what became of them, and none if one is wrong", async () => {
  const smtp = smtpOnThisMachine(2525, "status@acme.test");
  const { get, post } = await operatorScene({ days: 0, accounts: { ...noAccounts, smtp } });
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  await post("/settings/service", { form, address: "https://picket.test" });
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  const add = (webhook_url: string, name = "") => post(list, { form, webhook_url, name });
  const total = async () => JSON.parse(await (await get(`${list}.json`)).text()).total;
  await add("ann@acme.test");
  const wrong = await add("bob@acme.test\nnot-an-address");
  expect(wrong.status).toBe(422);
  const page = await wrong.text();
  expect(page).toContain("has 2 addresses, of which one is wrong, for example “not-an-address”");
  expect(page).toContain("bob@acme.test\nnot-an-address</textarea");
  const named = await add("bob@acme.test cy@acme.test", "Bob");
  expect(await named.text()).toContain("leave it empty for several addresses");
  expect(await total()).toBe(1);
  const to = (await add("ann@acme.test\nbob@acme.test\ncy@acme.test")).headers.get("location");
  const said = (await (await get(to ?? "")).text()).replaceAll(/\s+/g, " ");
  expect(said).toContain("2 subscribers were added. 1 subscriber was there already.");
  expect(await total()).toBe(3);
  const many = Array.from({ length: 501 }, (_, index) => `r${index}@acme.test`).join("\n");
  expect(await (await add(many)).text()).toContain(
    "has 501 addresses, and one form adds 500 at most",
  );
});
