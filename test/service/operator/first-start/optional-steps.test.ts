import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byAccount, byKey } from "../../../support/signed-in.ts";

test("below the first steps, an owner who signed in with a key is offered an account", async () => {
  const here = await operatorScene({ pages: "signed in", days: 0 });
  const owner = await byKey(here, "write");
  for (const page of [await owner.text("/"), await owner.text("/start")]) {
    expect(page).toContain("You are signed in with an API key.");
    expect(page).toContain('href="/settings/people/new?self=1">Create your account</a>');
    expect(page.indexOf("first-steps")).toBeLessThan(page.indexOf("Optional</h2>"));
    expect(page.indexOf("Optional</h2>")).toBeLessThan(page.indexOf("Messages have no links yet"));
    expect(page).toContain("picket apply -f monitors.yaml");
  }
  const person = await byAccount(here, "ann@example.com", "owner");
  for (const one of [person, owner])
    expect(await one.text("/start")).not.toContain("Create your account");
  const again = await person.get("/settings/people/new?self=1");
  expect([again.status, again.headers.get("location")]).toEqual([303, "/settings"]);
});

test("an owner whose account waits for its password is led to it, and offered no second one", async () => {
  const here = await operatorScene({ pages: "signed in", days: 0 });
  const owner = await byKey(here, "write");
  const account = { name: "Ann", email: "ann@example.com", role: "owner" };
  expect((await owner.send("/settings/people", account)).status).toBe(200);
  for (const page of [await owner.text("/"), await owner.text("/start")]) {
    expect(page).toContain(
      "The account <strong>Ann</strong> (ann@example.com) waits for its password.",
    );
    expect(page.replaceAll(/\s+/g, " ")).toContain(
      "If you no longer have the link, make a new one on the account’s page.",
    );
    expect(page).toMatch(/href="\/settings\/people\/\d+">Open the account/);
    expect(page).not.toContain("Create your account");
  }
});

test("a service at which no one signs in offers no account with the first steps", async () => {
  const { get } = await operatorScene({ days: 0 });
  expect(await (await get("/start")).text()).not.toContain("Create your account");
});
