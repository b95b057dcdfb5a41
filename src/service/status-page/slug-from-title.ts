import * as checkLimits from "#limits/check-limits";

/** A status page's name in the address from its title, e.g. `acme-shop`; empty if the title has no letter or digit for it. */
export const slugFromTitle = (title: string): string =>
  title
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[ßæœøłđ]/g, (letter) => plainLetters[letter] ?? letter)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("-")
    .slice(0, checkLimits.nameCharsMax)
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
