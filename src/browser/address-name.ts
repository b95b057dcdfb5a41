/** As long as the service takes. */
const charsMax = 256;

/** A name in an address from any text, e.g. `acme-shop`; the service makes the same one. */
export const addressName = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[ßæœøłđ]/g, (letter) => plainLetters[letter] ?? letter)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("-")
    .slice(0, charsMax)
    .replace(/-$/, "");

/** Letters that Unicode takes apart into no others. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
};
