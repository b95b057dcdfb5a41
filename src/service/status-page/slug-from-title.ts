import * as checkLimits from "#limits/check-limits";

/** A status page's name in the address from its title, e.g. `acme-shop`; empty if the title has no letter or digit for it. */
export const slugFromTitle = (title: string): string =>
  title
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[äöüßæœøłđ]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("-")
    .slice(0, checkLimits.nameCharsMax)
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
