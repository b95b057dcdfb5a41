import { expect, test } from "vitest";
import { column } from "#check/form-field";
import { pages } from "#service/operator/page-routes";
import { lackingText, withLackingTexts } from "#service/operator/forms/lacking-text";
import { kinds } from "#check/monitor";
import { providers } from "#service/notify/channel";
import { operatorScene } from "../../../support/operator-scene.ts";
import { samplePath } from "../../../support/sample-path.ts";
import { formsIn, sentForm } from "../../../support/sent-form.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

test.each([
  ["Title", "must be 1 to 256 characters long", "Enter a title"],
  ["Name", "is required, but missing", "Enter a name"],
  ["URL", "is required, but missing", "Enter a URL"],
  ["API key", "is required: give the key of it", "Enter an API key: the key of it"],
  [
    "E-mail address",
    "must be like ann@x.example",
    "Enter an e-mail address, for example ann@x.example",
  ],
  ["Comment", "must not be empty: say what you saw", "Enter a comment: say what you saw"],
  ["Name", "cannot be made of this title: type one", "cannot be made of this title: type one"],
])("the empty field %j that %j says: %s", (label, message, said) => {
  expect(lackingText(label, message)).toBe(said);
});

test("a field that is not empty says its rule, and one of a row says which it is", () => {
  const fields = {
    title: column("Title", { is: "text", width: "name" }),
    headers: column("Headers", {
      is: "rows",
      one: "header",
      columns: { key: column("Name", { is: "text", width: "word" }) },
    }),
  };
  const message = "must be 1 to 256 characters long";
  const said = (typed: Readonly<Record<string, string>>, field: string) =>
    withLackingTexts(fields, new URLSearchParams(typed), [{ field, message }]);
  expect(said({ title: "x".repeat(300) }, "title")).toEqual([{ field: "title", message }]);
  expect(said({ title: " " }, "title")).toEqual([{ field: "title", message: "Enter a title" }]);
  expect(said({}, "headers[0].key")).toEqual([
    { field: "headers[0].key", message: "Enter a name" },
  ]);
  expect(said({}, "headers")).toEqual([{ field: "headers", message }]);
});

const addresses = [
  ...new Set([
    ...pages.map(({ path }) => samplePath(path, "1")),
    ...kinds.map((kind) => `/monitors/new?kind=${kind}`),
    ...providers.map((provider) => `/channels/new/${provider}`),
  ]),
];
const isTyped = (words: string): boolean => !/type="(?:hidden|checkbox|radio)"/.test(words);
const linesIn = (page: string): readonly string[] =>
  [...page.matchAll(/<p\s+class="wrong-line(?: lack)?"[^>]*>(.*?)<\/p>/gs)].map(([, line = ""]) =>
    line
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );

test("each form that is sent without any text asks for it, one sentence a field, with no bound and no abbreviation", async () => {
  const scene = await operatorScene();
  await generatedPage(scene.service);
  const all: string[] = [];
  for (const address of addresses) {
    const answer = await scene.get(address);
    const text = answer.status === 200 ? await answer.text() : "";
    for (const { action, text: controls } of formsIn(text)) {
      if (!controls.includes('class="field')) continue;
      for (const typed of ["", "minus three!"]) {
        const page = await (await scene.get(address)).text();
        if (!formsIn(page).some((one) => one.action === action)) continue;
        const sent = sentForm(page, action);
        for (const [, words = ""] of controls.matchAll(/<(?:input|textarea)\b([^>]*)>/g)) {
          const name = /\sname="([^"]*)"/.exec(words)?.[1] ?? "";
          if (isTyped(words) && sent.has(name)) sent.set(name, typed);
        }
        all.push(...linesIn(await (await scene.post(action, sent)).text()));
      }
    }
  }
  expect(
    all.filter((line) => /1 to \d+ characters|but missing|^It is required\./.test(line)),
  ).toEqual([]);
  expect(all.filter((line) => /\be\.g\./.test(line))).toEqual([]);
  expect(all.filter((line) => line.startsWith("Enter ")).length).toBeGreaterThan(15);
});
