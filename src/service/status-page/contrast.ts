import { namedColours } from "#service/status-page/named-colours";

/**
 * How well two colours of CSS can be distinguished, from 1 to 21: WCAG's contrast ratio. Null if one is in a form that is
 * not read here, e.g. refers to another, or lets shine through what lies below.
 */
export function contrast(a: string, b: string): number | null {
  const [first, second] = [luminance(a), luminance(b)];
  if (first === null || second === null) return null;
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** Whether a colour is in a form that is read here. */
export const canContrast = (colour: string): boolean => luminance(colour) !== null;

function luminance(text: string): number | null {
  const colour = text.trim().toLowerCase();
  const light = lightOf(namedColours.get(colour) ?? colour);
  if (light === null) return null;
  const [red, green, blue] = light;
  return 0.2126 * within(red) + 0.7152 * within(green) + 0.0722 * within(blue);
}

const within = (part: number): number => Math.min(1, Math.max(0, part));

/** Three parts: of light, or of what a form of CSS names. */
type Three = readonly [number, number, number];

/** Red, green and blue as light, from 0 to 1. */
function lightOf(colour: string): Three | null {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(colour)?.[1];
  if (hex !== undefined) return ofHex(hex);
  const [, form = "", inside = ""] = /^(rgb|hsl|oklch)\(([^()/]*)\)$/.exec(colour) ?? [];
  const parts = inside.split(/[\s,]+/).filter((one) => one !== "");
  if (parts.length !== 3) return null;
  const [a = "", b = "", c = ""] = parts;
  if (form === "rgb") return inLight(three([a, b, c].map((one) => numberIn(one, 255) / 255)));
  if (form === "hsl")
    return inLight(
      ofHsl(three([numberIn(a, 360), numberIn(b, 100) / 100, numberIn(c, 100) / 100])),
    );
  return ofOklch(three([numberIn(a, 1), numberIn(b, 0.4), numberIn(c, 360)]));
}

/** Null if one of them is no number. */
const three = (all: readonly number[]): Three | null => {
  const [a = NaN, b = NaN, c = NaN] = all;
  return [a, b, c].some(Number.isNaN) ? null : [a, b, c];
};

/** A number of CSS; a percentage is of the whole. */
function numberIn(text: string, all: number): number {
  const [, digits, unit] = /^([+-]?(?:\d+\.?\d*|\.\d+))(%|deg)?$/.exec(text) ?? [];
  if (digits === undefined) return NaN;
  return unit === "%" ? (Number(digits) / 100) * all : Number(digits);
}

function ofHex(hex: string): Three | null {
  const whole = hex.length === 3 ? hex.replaceAll(/./g, "$&$&") : hex;
  const pairs = whole.match(/../g) ?? [];
  return inLight(three(pairs.map((pair) => Number.parseInt(pair, 16) / 255)));
}

/** Screens are given powers of light. */
function inLight(parts: Three | null): Three | null {
  if (parts === null) return null;
  return three(
    parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)),
  );
}

function ofHsl(parts: Three | null): Three | null {
  if (parts === null) return null;
  const [hue, saturation, lightness] = parts;
  const at = (step: number): number => {
    const place = (step + hue / 30) % 12;
    const reach = saturation * Math.min(lightness, 1 - lightness);
    return lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1));
  };
  return three([at(0), at(8), at(4)]);
}

/** CSS Color 4, "Converting Oklab to sRGB". */
function ofOklch(parts: Three | null): Three | null {
  if (parts === null) return null;
  const [lightness, chroma, hue] = parts;
  const [a, b] = [
    chroma * Math.cos((hue * Math.PI) / 180),
    chroma * Math.sin((hue * Math.PI) / 180),
  ];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return three([
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ]);
}
