/** How wide a text is in DejaVu Sans, in shares of the font's size. Verdana is its twin: a line of theirs differs by 1 %. */
export const badgeTextWidth = (text: string): number =>
  Array.from(text.normalize("NFD")).reduce(
    (sum, character) => sum + (widths.get(character) ?? widthOfOther(character)),
    0,
  );

/** The letters of each width, as the font's file has them, rounded to 0.04. */
const widths: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "0.28": "IJijl",
    "0.32": " \u00a0,./:;\\|'·ı",
    "0.36": "-f",
    "0.4": "!()[]rt",
    "0.44": '"',
    "0.48": "*_`",
    "0.52": "?sz–",
    "0.56": "FLck",
    "0.6": "PTYaeovxy",
    "0.64": "$0123456789EKSbdghnpquß{}",
    "0.68": "ABCRVXZ",
    "0.72": "U",
    "0.76": "&DGHN",
    "0.8": "OQw",
    "0.84": "#+<=>^~",
    "0.88": "M",
    "0.96": "%m",
  }).flatMap(([width, letters]) =>
    Array.from(letters, (letter): [string, number] => [letter, Number(width)]),
  ),
);

/** Accents take no room; Greek and Cyrillic letters are as wide as most of them are, and all else is as wide as high. */
function widthOfOther(character: string): number {
  if (/\p{Mark}/u.test(character)) return 0;
  if (!/[\p{Script=Greek}\p{Script=Cyrillic}]/u.test(character)) return 1;
  return /\p{Lowercase}/u.test(character) ? 0.66 : 0.76;
}
