import { expect, test } from "vitest";
import { faintPairs, faintWords, unknownColours } from "#service/status-site/view/faint-colours";
import { coloursOf, groundOf, statusStyle } from "#service/status-site/view/status-style";
import { pageDefaults, type PageTheme, themeKeys } from "#service/status-page/page-definition";
import { themeFaults } from "#service/status-page/theme-rules";
import { themes } from "#service/status-page/themes";

const page = { ...pageDefaults, title: "Acme", slug: "acme" };
const of = (themeKey: (typeof themeKeys)[number]) => ({
  ...page,
  configuration: { ...page.configuration, themeKey },
});

test.each(themeKeys)(
  "the theme %s can be read in light and dark, and keeps the rules of themes",
  (key) => {
    expect(faintPairs(of(key)).map(faintWords)).toEqual([]);
    expect(themeFaults(themes[key])).toEqual([]);
  },
);

test.each(themeKeys.filter((key) => key !== "default"))("the theme %s has an effect", (key) => {
  expect(statusStyle(of(key))).not.toBe(statusStyle(page));
});

test.each(themeKeys)("maintenance is blue in the theme %s, and not nearly as what works", (key) => {
  const { light, dark } = coloursOf(of(key));
  for (const colours of [light, dark]) {
    const planned = colours.get("--info") ?? "";
    const [red = 0, green = 0, blue = 0] = (planned.match(/[\da-f]{2}/g) ?? []).map((one) =>
      Number.parseInt(one, 16),
    );
    expect([planned, blue - Math.max(red, green) >= 30]).toEqual([planned, true]);
  }
});

test("what a person sets counts before the theme, in the scheme that it is set for", () => {
  const style = statusStyle({
    ...of("ocean"),
    customTheme: { light: { "--background": "#fffff0" }, dark: {} },
  });
  const [light = "", dark = ""] = style.split("@media (prefers-color-scheme: dark) {").slice(-2);
  expect(light.lastIndexOf("--ground: #fffff0")).toBeGreaterThan(
    light.lastIndexOf("--ground: #f3f8fb"),
  );
  expect(dark).toContain("--ground: #071a26");
  expect(dark).not.toContain("#fffff0");
});

test("a browser's bars have the ground of the page, in the scheme that its readers see", () => {
  const grounds = (theme: PageTheme) =>
    (["light", "dark"] as const).map((scheme) => groundOf(scheme, { ...of("sand"), theme }));
  expect(grounds("system")).toEqual(["#faf6ef", "#1a1511"]);
  expect(grounds("dark")).toEqual(["#1a1511", "#1a1511"]);
});

test("colours that are hard to read are named, in the schemes that readers see", () => {
  const faint = { light: { "--foreground": "#aaaaaa" }, dark: { "--success": "var(--ring)" } };
  const said = faintPairs({ ...page, theme: "light", customTheme: faint }).map(faintWords);
  expect(said).toEqual([
    "in light, --foreground on --background has a contrast of 2.1, below 4.5",
    "in light, --foreground on --card has a contrast of 2.3, below 4.5",
  ]);
  const dark = { ...page, theme: "dark" as const, customTheme: faint };
  expect(faintPairs(dark)).toEqual([]);
  expect(unknownColours(dark)).toEqual([{ scheme: "dark", colour: "--success" }]);
});

test("a value that a browser does not take for a colour is refused, and each form of CSS is taken", () => {
  const faultsOf = (value: string) => themeFaults({ light: { "--foreground": value }, dark: {} });
  for (const value of ["banana", "#12", "#12345", "rgb(1 2)", "rgb(a, b, c)", "0 0% 4%", "1rem"])
    expect([value, faultsOf(value)]).toEqual([
      value,
      [expect.stringContaining("--foreground must be a colour of CSS, for example #1c2719")],
    ]);
  for (const value of [
    "navy",
    "Transparent",
    "currentColor",
    "CanvasText",
    "#abc",
    "#abcd",
    "#aabbcc",
    "#aabbccdd",
    "rgb(1, 2, 3)",
    "rgba(1 2 3 / 50%)",
    "hsl(120deg 100% 25%)",
    "oklch(0.7 0.1 200)",
    "lab(50% none -20)",
    "color(display-p3 1 0 0)",
    "color-mix(in oklab, red, blue)",
    "var(--chart-1)",
    "oklch(from red l c h)",
    "rgb(calc(1 + 2) 0 0)",
  ])
    expect([value, faultsOf(value)]).toEqual([value, []]);
  expect(themeFaults({ light: { "--radius": "1rem" }, dark: {} })).toEqual([]);
});
