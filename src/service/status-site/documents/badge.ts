import { badgeNameCharsMax } from "#limits/status-limits";
import { html, type Html } from "#web/page/html";
import { badgeTextWidth } from "#service/status-site/documents/badge-letters";
import type { PageState } from "#service/status-page/component-state";

/** How a badge looks, as its address says it. */
export interface BadgeLook {
  readonly theme: "light" | "dark";
  readonly size: "sm" | "md" | "lg" | "xl";
  readonly variant: "default" | "outline";
  /** Whether it names what it is about. */
  readonly isNamed: boolean;
}

/** What a badge says. */
interface BadgeWords {
  readonly label: string;
  readonly message: string;
}

export const badgeThemes = ["light", "dark"] as const;
export const badgeVariants = ["default", "outline"] as const;
/** The height of each size in pixels. */
export const badgeHeights: { readonly [S in BadgeLook["size"]]: number } = {
  sm: 20,
  md: 24,
  lg: 32,
  xl: 40,
};

/**
 * A picture of a state for other pages: a shape and a word, after a name if it is wanted. Each text is in the middle of room
 * that is enough for a wide font: a narrower one leaves some on both sides, and no letter is stretched.
 */
export function badge(state: PageState, { label, message }: BadgeWords, look: BadgeLook): string {
  const { theme, size, variant, isNamed } = look;
  const height = badgeHeights[size];
  const font = height * 0.55;
  const { ground, ink, edge } = looks[theme];
  const name = isNamed ? shortened(label) : "";
  const nameWidth = badgeTextWidth(name) * font;
  const begin = isNamed ? Math.ceil(nameWidth + height * 0.85) : 0;
  const words = badgeTextWidth(message) * font;
  const width = Math.ceil(begin + words + height * 1.55);
  const frame = variant === "outline" ? ink : edge;
  const text = isNamed ? `${label}: ${message}` : message;
  const shape = { height, font, ink };
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${width}"
    height="${height}"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-label="${text}"
  >
    <title>${text}</title>
    <rect
      x="0.5"
      y="0.5"
      width="${width - 1}"
      height="${height - 1}"
      rx="${height * 0.2}"
      fill="${ground}"
      stroke="${frame}"
    />
    ${isNamed ? namePart(name, { ...shape, begin: height * 0.4, width: nameWidth }) : null}
    ${dot(begin + height * 0.6, height, colours[state][theme])}
    ${line(message, { ...shape, begin: begin + height, width: words })}
  </svg> `.text;
}

/** The name, and a line between it and the state. */
const namePart = (name: string, look: LineLook): Html => {
  const { begin, width, height, ink } = look;
  const end = Math.ceil(begin + width + height * 0.45);
  return html`${line(name, look)}
    <path d="M${end} ${height * 0.2}V${height * 0.8}" stroke="${ink}" opacity="0.4" />`;
};

/** A long name would take a line of its own where badges are side by side. */
const shortened = (label: string): string => {
  const characters = Array.from(label);
  return characters.length <= badgeNameCharsMax
    ? label
    : `${characters.slice(0, badgeNameCharsMax - 1).join("")}…`;
};

const dot = (at: number, height: number, colour: string): Html =>
  html`<circle cx="${at}" cy="${height / 2}" r="${height * 0.2}" fill="${colour}" />`;

interface LineLook {
  readonly begin: number;
  readonly height: number;
  readonly font: number;
  readonly width: number;
  readonly ink: string;
}

const line = (text: string, { begin, height, font, width, ink }: LineLook): Html =>
  html`<text
    x="${Math.round(10 * (begin + width / 2)) / 10}"
    y="${height / 2}"
    dy="0.36em"
    font-family="Verdana,Geneva,DejaVu Sans,sans-serif"
    font-size="${font}"
    text-anchor="middle"
    fill="${ink}"
  >
    ${text}
  </text>`;

/** The edge shows where a badge ends on a page that has the colour of its ground. */
const looks = {
  light: { ground: "#ffffff", ink: "#1b1d21", edge: "#c4c9d1" },
  dark: { ground: "#121417", ink: "#e7e8ea", edge: "#454b55" },
} as const;

/** Those of the page's own marks: an outage of a part is red there, too. */
const colours: { readonly [S in PageState]: { readonly light: string; readonly dark: string } } = {
  operational: { light: "#1f6b3b", dark: "#7dcf9b" },
  degraded: { light: "#b06a00", dark: "#f0b556" },
  partial_outage: { light: "#b01f24", dark: "#ff938c" },
  major_outage: { light: "#b01f24", dark: "#ff938c" },
  maintenance: { light: "#0b57a4", dark: "#8ab8f5" },
  unknown: { light: "#555b65", dark: "#a7adb7" },
};

/** The words by which shields.io knows a colour. */
export const shieldColours: { readonly [S in PageState]: string } = {
  operational: "success",
  degraded: "yellow",
  partial_outage: "critical",
  major_outage: "critical",
  maintenance: "blue",
  unknown: "inactive",
};
