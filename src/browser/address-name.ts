/** As long as the service takes. */
const charsMax = 256;

/** A name in an address from any text, e.g. `acme-shop`; the service makes the same one. */
export const addressName = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[äöüßæœøłđ]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("-")
    .slice(0, charsMax)
    .replace(/-$/, "");

/** Letters that are written as others than Unicode takes them apart into, e.g. `ü` as in German. */
const plainLetters: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
};
