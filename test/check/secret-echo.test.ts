import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SearchSteps, SecretEcho } from "#check/secret-echo";

const secret = 'pa55/wörd+"x" & <tag>';
const json = JSON.stringify(secret).slice(1, -1);
const html = "pa55/wörd+&quot;x&quot; &amp; &lt;tag&gt;";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("a secret that a peer sends back", () => {
  test.each([
    ["as it is", `token=${secret};`],
    ["in upper case", `token=${secret.toUpperCase()};`],
    ["one character for each byte", `token=${Buffer.from(secret).toString("latin1")};`],
    ["percent-encoded", `token=${encodeURIComponent(secret)};`],
    ["percent-encoded with small letters", `token=${encodeURIComponent(secret).toLowerCase()};`],
    [
      "percent-encoded as forms are",
      `token=${new URLSearchParams({ a: secret }).toString().slice(2)};`,
    ],
    [
      "percent-encoded in every byte",
      [...Buffer.from(secret)].map((one) => `%${one.toString(16)}`).join(""),
    ],
    ["escaped for JSON", `{"token":"${json}"}`],
    [
      "escaped for JSON by numbers",
      Array.from(secret)
        .map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join(""),
    ],
    ["escaped for HTML", `<p>${html}</p>`],
    ["with a sign in place of what is not ASCII", secret.replace("ö", "?")],
    ["with a sign in place of each byte that is not ASCII", secret.replace("ö", "\ufffd\ufffd")],
  ])("is taken out %s", (_, text) => {
    const rest = new SecretEcho(secret).cut(text);
    expect(rest).toContain("[removed]");
    expect(rest).not.toMatch(/pa55|rd\+|tag/i);
    expect(rest).not.toContain("70%61");
  });

  test.each([0, 1, 2, 3, 4])("is taken out of a base64 text, after %d bytes", (before) => {
    const text = base64(`${"u".repeat(before)}${secret}:end`);
    const rest = new SecretEcho(secret).cut(`Basic ${text}`);
    expect(rest).toContain("[removed]");
    // What is left of it decodes to less than two characters at either end.
    expect(rest.replaceAll("[removed]", "").length).toBeLessThan(
      text.length - base64(secret).length + 14,
    );
  });

  test("is taken out if it begins with what is not ASCII, and a sign is in place of that", () => {
    expect(new SecretEcho("öffne-dich-4711").cut("x ?ffne-dich-4711")).toBe("x [removed]");
  });

  test("is taken out if what is shown ends within it", () => {
    const echo = new SecretEcho("correct-horse-battery");
    expect(echo.cut("the body was correct-horse-ba")).toBe("the body was [removed]");
    expect(echo.cut('received "correct-horse…"')).toBe('received "[removed]…"');
    expect(echo.cut("correct-horses are animals")).toBe("correct-horses are animals");
  });

  test("is taken out of a whole text only whole, so that no guess of its beginning is confirmed", () => {
    const echo = new SecretEcho("correct-horse-battery");
    for (const guess of ["correct-horse-ba", "correct-horse-bx"])
      for (const end of ["", '"', "…"])
        expect(echo.cut(`no such page: ${guess}${end}`, true)).toBe(`no such page: ${guess}${end}`);
    expect(echo.cut("no such page: correct-horse-battery", true)).toBe("no such page: [removed]");
  });

  test("is taken out where it begins within what looks like its beginning", () => {
    expect(new SecretEcho("ababab_x").cut("=abababab_x=")).toBe("=ab[removed]=");
  });

  test("is taken out, and nothing else is", () => {
    const echo = new SecretEcho("correct-horse-battery");
    const text = "HTTP/1.1 200 OK, correct, horse and battery";
    expect(echo.cut(text)).toBe(text);
    expect(echo.isIn(text)).toBe(false);
    expect(echo.isIn("?q=CORRECT-HORSE-BATTERY")).toBe(true);
  });

  test("takes all of a text with it if too much of that may be its beginning, and else what is left of the steps does", () => {
    const many = new SecretEcho("é".repeat(200));
    const steps = new SearchSteps(10_000);
    expect(many.cut("?".repeat(4_096), false, steps)).toBe("[removed]");
    expect(steps.isUsedUp).toBe(true);
    const few = new SearchSteps(10_000);
    expect(new SecretEcho("correct-horse").cut("a correct-horse runs", true, few)).toBe(
      "a [removed] runs",
    );
    expect(few.isUsedUp).toBe(false);
  });

  test("is taken out of whatever text in every one of these forms", () => {
    const forms: readonly ((text: string) => string)[] = [
      (text) => text,
      encodeURIComponent,
      (text) => JSON.stringify(text).slice(1, -1),
      (text) => Buffer.from(text).toString("latin1"),
    ];
    const value = fc
      .string({ unit: "grapheme-composite", minLength: 6, maxLength: 40 })
      .filter((text) => text.isWellFormed() && text.length >= 6);
    fc.assert(
      fc.property(value, fc.string(), fc.string(), fc.nat(3), (text, before, after, form) => {
        const shown = forms[form]?.(text) ?? text;
        const rest = new SecretEcho(text).cut(`${before}${shown}${after}`);
        expect(rest.includes(shown) && !`${before}[removed]${after}`.includes(shown)).toBe(false);
        expect(rest).toContain("[removed]");
      }),
      { numRuns: 500 },
    );
  });

  test("is taken out of a long text that nearly holds it everywhere", () => {
    const echo = new SecretEcho("a".repeat(60) + "b");
    expect(echo.cut("a".repeat(20_000))).toMatch(/\[removed\]$/);
  });
});
