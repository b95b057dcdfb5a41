import { namedColours } from "#service/status-page/named-colours";

/** What a field for a colour takes, as the end of a sentence. */
export const colourWanted =
  "must be a colour of CSS, for example #1c2719, rgb(28 39 25), oklch(0.7 0.1 200) or navy";

/** Whether a browser takes it for a colour. Where others reckon inside of it, e.g. `var(--chart-1)`, it is taken as one. */
export function isColour(text: string): boolean {
  const value = text.trim().toLowerCase();
  if (namedColours.has(value) || otherNames.has(value)) return true;
  if (value.startsWith("#")) return /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(value);
  if (/^(color|color-mix|light-dark|var)\(.+\)$/.test(value)) return true;
  const [, inside = null] = form.exec(value) ?? [];
  return inside !== null && (isReckoned(inside) || hasParts(inside));
}

/** Names whose colour depends on where they are, or on the reader's device (CSS Color 4, "System Colors"). */
const otherNames: ReadonlySet<string> = new Set(
  `transparent currentcolor accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext field
    fieldtext graytext highlight highlighttext linktext mark marktext selecteditem selecteditemtext visitedtext`.split(
    /\s+/,
  ),
);

const form = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\((.+)\)$/;

/** E.g. `from red l c h`, or `calc(1 / 2) 0 0`. */
const isReckoned = (inside: string): boolean => /^\s*from\s|\(/.test(inside);

/** Three numbers, and how much lies below that shines through. */
function hasParts(inside: string): boolean {
  const parts = inside.split(/[\s,/]+/).filter((one) => one !== "");
  return (parts.length === 3 || parts.length === 4) && parts.every((one) => part.test(one));
}

const part = /^(none|[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?(%|deg|rad|turn|grad)?)$/;
