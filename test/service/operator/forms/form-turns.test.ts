import { expect, test } from "vitest";
import { afterTurn } from "#service/operator/forms/form-turns";
import { severalView } from "#service/operator/forms/several-view";

const thousand = Array.from({ length: 1_000 }, (_, index) => [`${index}`, `web ${index}`] as const);

/** The words of the boxes that are listed, of a form as it was typed. */
function listed(typed: string): readonly string[] {
  const shown = {
    typed: new URLSearchParams(typed),
    mistakes: [],
    choices: { depends_on: thousand },
    fixed: {},
    notes: {},
    idPrefix: "",
    first: null,
  };
  const text = severalView("depends_on", "Depends on", shown).text;
  return [...text.matchAll(/<label class="tick"[^]*?\/>\s*([^<]*)<\/label/g)].map(
    ([, words = ""]) => words.trim(),
  );
}

test("of a thousand choices a field lists those that are ticked, and some that a search by name finds", () => {
  expect(listed("").length).toBe(50);
  expect(listed("depends_on=999&depends_on.find=WEB+12").slice(0, 3)).toEqual([
    "web 999",
    "web 12",
    "web 120",
  ]);
});

test("a search shows the form again by its button, or by Return in its field, and any other button does not", () => {
  const after = (typed: string) => afterTurn(new URLSearchParams(typed))?.toString() ?? null;
  const asked = "depends_on.find=web+12";
  expect(after(`${asked}&find=depends_on`)).toBe(`${asked}&opened=depends_on`);
  expect(after(`enter=yes&${asked}`)).toBe(`${asked}&opened=depends_on`);
  expect(after("enter=yes&depends_on.find=")).toBe(null);
  expect(after(asked)).toBe(null);
});

test("a value that is offered takes the place of what was typed", () => {
  const typed = new URLSearchParams({ url: "shop.example", use: "url https://shop.example" });
  expect(afterTurn(typed)?.toString()).toBe("url=https%3A%2F%2Fshop.example");
});
