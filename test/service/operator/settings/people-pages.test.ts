import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { factorPage } from "../../../support/factor-page.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byAccount, byKey, cookieOf, password, signedIn } from "../../../support/signed-in.ts";

const scene = () => operatorScene({ pages: "signed in", days: 0 });
const linkIn = (page: string): string =>
  /value="http[^"]*\/join\?link=(pkt_link_[\w-]{43})"/.exec(page)?.[1] ?? "";
const textOf = async (answer: Response): Promise<string> =>
  (await answer.text()).replaceAll(/\s+/g, " ");
const ann = { name: "Ann", email: "ann@example.com", role: "responder" };

test("an owner invites a person by a link that is shown once, and changes what they may do", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const made = await owner.send("/settings/people", ann);
  const link = linkIn(await made.text());
  const list = await owner.text("/settings/people");
  expect(list).toContain("invited, until");
  expect(list).toContain('<td data-label="Last seen">never</td>');
  expect(linkIn(list)).toBe("");
  const joined = await here.post("/join", { link, password });
  const person = signedIn(here, cookieOf(joined));
  expect(await person.text("/settings")).toContain("responder: may also acknowledge");
  expect(await owner.text("/settings/people")).toContain('<td data-label="State">active</td>');
  for (const path of ["/settings/people", "/settings/people/1"])
    expect(await owner.text(path)).toMatch(/(?:>Last seen<\/dt> <dd>|"Last seen">)<time/);
  const log = (await owner.text("/changes?kind=person")).replaceAll(/<[^>]*>/g, " ");
  expect(log.replaceAll(/\s+/g, " ")).toContain(" Ann joined Field Before After ");
  const change = { name: "Ann B.", role: "reader", access: "yes" };
  expect((await owner.send("/settings/people/1", change)).status).toBe(303);
  expect(await person.text("/settings")).toContain("Ann B.");
  await owner.send("/settings/people/1", { ...change, access: "no" });
  expect((await person.get("/")).status).toBe(303);
  expect(JSON.stringify(here.log.said)).not.toContain(link);
});

test("who is signed in without an account is said, and an owner is led to the form that adds a person", async () => {
  const here = await scene();
  const owner = await byKey(here, "write", "night shift");
  const reader = await byKey(here, "read", "screen");
  const add = 'href="/settings/people/new?self=1">Create your account</a';
  const sentence = (name: string) => `You are signed in with the API key “${name}”`;
  const [profile, read] = [await owner.text("/settings"), await reader.text("/settings")];
  expect([profile.includes(sentence("night shift")), profile.includes(add)]).toEqual([true, true]);
  expect([read.includes(sentence("screen")), read.includes(add)]).toEqual([true, false]);
  expect(read).toContain("Ask an owner for an account");
  const people = await owner.text("/settings/people");
  expect(people).toContain("No account yet");
  expect(people).toContain(sentence("night shift"));
  expect(people).toContain('href="/settings/people/new">Invite a person</a');
  expect(people).toContain(add);
  expect(people).toMatch(/Responder<\/dt>\s*<dd>Also acknowledge, silence, comment and report</);
  const person = await byAccount(here, ann.email, "owner");
  const listed = await person.text("/settings/people");
  expect([listed.includes("1 account"), listed.includes("You are signed in")]).toEqual([
    true,
    false,
  ]);
  expect(await owner.text("/settings/people")).not.toContain(add);
  const own = await person.text("/settings");
  expect([own.includes(add), own.includes("You are signed in")]).toEqual([false, false]);
  const open = await operatorScene({ days: 0 });
  for (const path of ["/settings", "/settings/people"])
    expect(await textOf(await open.get(path))).toContain(
      "At this address no one signs in: whoever",
    );
  expect(await textOf(await open.get("/settings"))).toContain(
    'href="/settings/people/new">Invite a person</a',
  );
});

test("the first person who is invited is an owner if nothing else is chosen, and the next one a reader", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const chosen = async (): Promise<string | undefined> =>
    /value="(\w+)" checked/.exec(await owner.text("/settings/people/new"))?.[1];
  expect(await chosen()).toBe("owner");
  const form = await owner.text("/settings/people/new");
  for (const may of ["see everything", "also acknowledge", "also change", "also manage people"])
    expect(form).toContain(`May ${may}`);
  await owner.send("/settings/people", ann);
  expect(await chosen()).toBe("reader");
});

test("an owner without an account makes one, and opens the link in the same browser", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  await owner.send("/settings/people", ann);
  const form = await owner.text("/settings/people/new?self=1");
  for (const said of ["Create your account</h1>", 'name="self" value="1"', 'value="owner" checked'])
    expect(form).toContain(said);
  expect(form).not.toContain("Invite");
  const own = { name: "Ben", role: "owner", self: "1" };
  const refused = await textOf(await owner.send("/settings/people", { ...own, email: "" }));
  expect(refused).toContain("Create your account</h1>");
  const made = await owner.send("/settings/people", { ...own, email: "ben@example.com" });
  const page = await textOf(made);
  expect(page).toContain("Open this link in this browser to set your password.");
  expect(page).not.toContain("Send it to them");
  // The profile leads on with it, instead of offering another as if there was none.
  const profile = (await owner.text("/settings")).replaceAll(/\s+/g, " ");
  expect(profile).toContain(
    "You created the account <strong>Ben</strong> (ben@example.com), which",
  );
  expect(profile).toContain('href="/settings/people/2">Open the account</a>');
  expect(profile).not.toContain("Create your account");
  const other = await byKey(here, "write", "another");
  expect(await other.text("/settings")).toContain("Create your account");
  const [, link = ""] = /href="http[^"]*(\/join\?link=[^"]*)">Set your password/.exec(page) ?? [];
  const join = await owner.get(link);
  expect([join.status, await textOf(join)]).toEqual([200, expect.stringContaining("password")]);
});

test("a reset of the password ends it and the sessions, and gives another link", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const person = await byAccount(here, ann.email, "editor");
  await person.get("/settings/sessions");
  const asked = await owner.text("/settings/people/1/link");
  expect(asked).toContain(">Reset the password of ann?</h1>");
  expect(asked).toContain("1 session ends at once.");
  const seen = async (): Promise<string> =>
    /data-label="Last seen">(.*?)<\/td>/s.exec(await owner.text("/settings/people"))?.[1] ?? "";
  const before = await seen();
  expect(before).toContain("<time");
  const reset = await owner.send("/settings/people/1/link");
  expect((await person.get("/")).status).toBe(303);
  // When they were here stays known, though the sessions are gone.
  expect(await seen()).toBe(before);
  const signIn = { email: ann.email, password };
  expect((await here.post("/sign-in", signIn)).status).toBe(403);
  const link = linkIn(await reset.text());
  expect((await here.post("/join", { link, password })).status).toBe(303);
  expect((await here.post("/sign-in", signIn)).status).toBe(303);
  const again = signedIn(here, cookieOf(await here.post("/sign-in", signIn)));
  await again.get("/settings/sessions");
  const ending = await owner.text("/settings/people/1/sessions/end");
  expect(ending).toContain(">End all sessions of ann?</h1>");
  await owner.send("/settings/people/1/sessions/end");
  expect((await again.get("/")).status).toBe(303);
});

test("the last owner with an account is neither demoted, shut out nor deleted", async () => {
  const here = await scene();
  const owner = await byAccount(here, ann.email, "owner");
  const change = { name: "Ann", role: "editor", access: "yes" };
  for (const [path, fields] of [
    ["/settings/people/1", change],
    ["/settings/people/1", { ...change, role: "owner", access: "no" }],
    ["/settings/people/1/delete", {}],
  ] as const) {
    const refused = await owner.send(path, fields);
    expect(refused.status).toBe(400);
    expect(await textOf(refused)).toContain("This is the last owner with an account");
  }
  await byAccount(here, "bob@example.com", "owner");
  const asked = await owner.text("/settings/people/1/delete");
  for (const words of ["Delete your own account?", ann.email, "1 session ends", "cannot be undone"])
    expect(asked).toContain(words);
  expect(await owner.text("/settings/people/2/delete")).toContain("Delete the account of ");
  expect((await owner.send("/settings/people/1/delete")).status).toBe(303);
  expect((await owner.get("/")).status).toBe(303);
});

test("no page of people shows a hash, a sealed secret or a link again", async () => {
  const here = await scene();
  const owner = await byAccount(here, ann.email, "owner");
  await owner.send("/settings/people", { ...ann, name: "Bob", email: "bob@example.com" });
  for (const path of ["", "/1", "/2"]) {
    const page = await owner.text(`/settings/people${path}`);
    expect(page).toContain("example.com");
    expect(page).not.toMatch(/scrypt|pkt_link_|[\w-]{22}\.[\w-]{43}/);
  }
});

test("no owner gives a person the name of another, and what was typed stays", async () => {
  const here = await scene();
  const owner = await byAccount(here, ann.email, "owner");
  const bob = { name: "Bob", email: "bob@example.com", role: "reader" };
  const invited = await owner.send("/settings/people", { ...bob, name: " ANN" });
  const said = await textOf(invited);
  expect(invited.status).toBe(400);
  expect(said).toContain(
    '<a href="#field-name">Name already belongs to another person or an API key</a>.',
  );
  expect(said).toContain('value="bob@example.com"');
  await owner.send("/settings/people", bob);
  const change = { name: "\uff21nn", role: "editor", access: "yes" };
  const changed = await owner.send("/settings/people/2", change);
  expect(changed.status).toBe(400);
  expect(await textOf(changed)).toContain(
    "Name already belongs to another person or an API key</a>.",
  );
  expect(await owner.text("/settings/people")).toContain('<td data-label="Role">reader</td>');
});

test.each([
  ["\u200b\u2060", "has only characters that no one sees: add a letter"],
  ["\u0301\u0308", "has only characters that no one sees: add a letter"],
  ["\u3164", "has only characters that no one sees: add a letter"],
  ["The  service", "means no person here: choose another"],
  ["PASSWORD", "means no person here: choose another"],
  ["a link in a message", "means no person here: choose another"],
  ["A link in a message to ops", "means no person here: choose another"],
  ["API key pages", "means no person here: choose another"],
  ["key 3", "means no person here: choose another"],
  ["boss@example.com", "is an e-mail address, but not the person's own"],
  ["\uff2fps", "already belongs to another person or an API key"],
])(
  "the name %j is refused at its field for whoever invites, changes or renames",
  async (name, why) => {
    const here = await scene();
    await byKey(here, "read", "ops");
    const owner = await byAccount(here, ann.email, "owner");
    const answers = [
      await owner.send("/settings/people", { name, email: "bob@example.com", role: "reader" }),
      await owner.send("/settings/people/1", { name, role: "owner", access: "yes" }),
      await owner.send("/settings/profile", { name }),
    ];
    const said = await Promise.all(answers.map(textOf));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    for (const page of said) expect(page.replaceAll("&#39;", "'")).toContain(`>Name ${why}</a>.`);
    expect((await owner.send("/settings/profile", { name: ann.email })).status).toBe(303);
  },
);

test("two people of an older version who have one name can still be changed, and keep it", async () => {
  const here = await scene();
  const owner = await byAccount(here, ann.email, "owner");
  await owner.send("/settings/people", { ...ann, name: "Bob", email: "bob@example.com" });
  using database = new DatabaseSync(here.database, { timeout: 10_000 });
  database.exec("UPDATE accounts SET name = 'ann'");
  const change = { name: "ann", role: "reader", access: "no" };
  expect((await owner.send("/settings/people/2", change)).status).toBe(303);
  expect(await owner.text("/settings/people")).toContain('<td data-label="State">disabled</td>');
  database.exec("UPDATE accounts SET name = 'Password' WHERE id = 2");
  const enabled = { ...change, name: "Password", access: "yes" };
  expect((await owner.send("/settings/people/2", enabled)).status).toBe(303);
});

test("a person who is invited twice, or by no address, is refused at the field, and what was typed stays", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  await owner.send("/settings/people", ann);
  const twice = await textOf(await owner.send("/settings/people", ann));
  expect(twice).toContain("E-mail address already belongs to another person</a>.");
  expect(twice).toContain('value="ann@example.com"');
  const typed = { name: "B <b>", email: "nowhere", role: "editor" };
  const refused = await textOf(await owner.send("/settings/people", typed));
  expect(refused).toContain("E-mail address must be like ann@example.com</a>.");
  expect(refused).toContain('value="B &lt;b&gt;"');
  expect(refused).toMatch(/value="editor" +checked/);
});

test("whoever signed in with a key reads on the page of passkeys why they have none, and is led to an account", async () => {
  const here = await scene();
  const answer = await (await byKey(here, "write", "night shift")).get("/settings/passkeys");
  const page = (await answer.text()).replaceAll(/\s+/g, " ");
  expect(answer.status).toBe(200);
  expect(page).toContain("Only a person with an account of this service has passkeys.");
  expect(page).toContain("You are signed in with the API key “night shift”");
  expect(page).toContain('href="/settings/people/new?self=1">Create your account</a>');
  expect(page).not.toContain("This was not done");
});

test("a wrong password is said once, at its field", async () => {
  const here = await scene();
  const person = await byAccount(here, ann.email, "reader");
  const wrong = { current: "hunter2", password: "correct horse battery staple" };
  const page = await (await person.send("/settings/password", wrong)).text();
  expect(page.match(/is not your password/g)).toHaveLength(1);
  expect(page).not.toContain("This was not done");
  expect(page).toMatch(/role="alert">\s*It is not your password\./);
});

test("a refused form says that nothing was saved, and a refused act that it was not done", async () => {
  const here = await scene();
  const person = await byAccount(here, ann.email, "reader");
  const renamed = await person.send("/settings/profile", { name: "" });
  expect(await renamed.text()).toContain(
    "<h2>Nothing was saved. One thing needs another look:</h2>",
  );
  const page = await factorPage(person);
  const draft = /name="draft" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const sent = { draft, current: password, code: "000000" };
  const turned = await (await person.send("/settings/factor", sent)).text();
  expect(turned).toContain("<h2>This was not done. One thing needs another look:</h2>");
  const said = "This code is wrong or expired: enter the newest one";
  expect([turned.includes(`>${said}</a>.`), turned.includes(`>${said}.</p>`)]).toEqual([
    true,
    true,
  ]);
});

test("a comment of a session with a key says that it was a key", async () => {
  const here = await operatorScene({ pages: "signed in" });
  const key = await byKey(here, "write", "CI");
  await key.send("/incidents/1/comment", { comment: "I look at it." });
  const page = await key.text("/incidents/1");
  expect(page).toContain("The key “CI” commented");
});
