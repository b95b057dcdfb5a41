import type { Tone } from "#service/notify/message/message";
import { html, Html } from "#web/page/html";

/** What a mail has at its top, in the look of the page that it is from. */
export interface MailBrand {
  readonly name: string;
  /** An https address; null: it has none. */
  readonly icon: string | null;
  /** A colour of CSS: of the line at its top. */
  readonly accent: ForScheme;
  /** The same of links and buttons, which have to be read. */
  readonly links: ForScheme;
}

interface ForScheme {
  readonly light: string;
  readonly dark: string;
}

interface MailDocument {
  readonly language: string;
  /** Left out: the heading is what programs show as the title. */
  readonly subject?: string;
  /** What it says in one word or two, above the heading; left out or empty: nothing is there. */
  readonly state?: string;
  readonly title: string;
  readonly tone: Tone;
  readonly content: Html;
  /** Null: it has none. */
  readonly footer: Html | null;
  /** Left out: nothing is above the title. */
  readonly brand?: MailBrand;
}

/** A mail as HTML: one column, nothing from elsewhere but a page's icon, and both schemes of colour. */
export const mailDocument = ({
  language,
  title,
  subject = title,
  state = "",
  tone,
  content,
  footer,
  brand,
}: MailDocument): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        <style>
          ${new Html(`${style}${brand === undefined ? "" : brandRules(brand)}`)}
        </style>
      </head>
      <body>
        <main>
          ${brand === undefined ? null : brandLine(brand)}
          ${state === "" ? null : html`<p class="state ${tone}" dir="auto">${state}</p>`}
          <h1${brand === undefined ? html` class="${tone}"` : null} dir="auto">${title}</h1>
          ${content}
          ${footer === null ? null : html`<footer>${footer}</footer>`}
        </main>
      </body>
    </html>`.text;

const brandLine = ({ name, icon }: MailBrand): Html =>
  html`<p class="brand" dir="auto">
    ${icon === null ? null : html`<img src="${icon}" height="24" alt="" /> `}${name}
  </p>`;

/** A program that does not know a colour draws the one before it. */
const brandRules = ({ accent: { light, dark }, links }: MailBrand): string => `
${linkRules(links, "light")}
.brand { margin: -24px -25px 20px; padding: 18px 24px 14px; border-top: 4px solid ${linkColours.light}; border-top-color: ${light}; border-bottom: 1px solid #e6e6e1; border-radius: 10px 10px 0 0; font-weight: 600; }
.brand img { width: auto; max-width: 144px; height: 24px; margin-right: 4px; vertical-align: middle; }
@media (prefers-color-scheme: dark) { .brand { border-top-color: ${linkColours.dark}; border-top-color: ${dark}; border-bottom-color: #343a41; } ${linkRules(links, "dark")} }
`;

/** Those of one scheme come after those of both in the style, so either both are changed or none. */
const linkRules = (links: ForScheme, scheme: keyof ForScheme): string =>
  links.light === linkColours.light && links.dark === linkColours.dark
    ? ""
    : `.links a { border-color: ${links[scheme]}; background: ${links[scheme]}; color: ${onLinks[scheme]}; } footer a, li a, .note a { color: ${links[scheme]}; }`;

/** Of links and buttons. */
export const linkColours: ForScheme = { light: "#0b57a4", dark: "#8ab8f5" };

/** The words of buttons in a page's colour. */
const onLinks: ForScheme = { light: "#ffffff", dark: "#121417" };

/** What links are read on, and what is read on buttons. */
export const linkGrounds: { readonly [S in keyof ForScheme]: readonly string[] } = {
  light: [onLinks.light, "#ffffff", "#f8f8f6"],
  dark: [onLinks.dark, "#1b1e22", "#121417"],
};

/** Each pair of text and ground has the contrast of WCAG AA in both schemes; a test measures it. */
const colours: { readonly [T in Tone]: { readonly light: string; readonly dark: string } } = {
  down: { light: "#b01f24", dark: "#ff938c" },
  slow: { light: "#844a00", dark: "#f0b556" },
  up: { light: "#1f6b3b", dark: "#7dcf9b" },
  quiet: { light: "#3f4650", dark: "#c3c8cf" },
};

const toneRules = (scheme: "light" | "dark"): string =>
  Object.entries(colours)
    .map(
      ([tone, colour]) =>
        `h1.${tone} { color: ${colour[scheme]}; } .state.${tone} { background: ${colour[scheme]}; }`,
    )
    .join("\n");

const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px 12px; background: #f8f8f6; color: #1b1d21; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { box-sizing: border-box; max-width: 600px; margin: 0 auto; padding: 24px; background: #ffffff; border: 1px solid #dadad4; border-radius: 10px; overflow-wrap: anywhere; }
h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.3; }
h1.down, h1.slow, h1.up, h1.quiet { margin-bottom: 12px; padding: 4px 0 4px 12px; border-left: 4px solid; }
.state { display: inline-block; margin: 0 0 10px; padding: 3px 12px; border-radius: 14px; color: #ffffff; font-size: 14px; font-weight: 600; }
.reason { margin: 0 0 16px; font-size: 17px; }
table { width: 100%; border-collapse: collapse; margin: 0 0 16px; }
th, td { padding: 6px 0; border-top: 1px solid #dadad4; text-align: left; vertical-align: top; }
th { width: 112px; padding-right: 12px; color: #555b65; font-weight: 400; }
.before { color: #555b65; font-size: 14px; }
.whole { display: inline-block; }
ul { margin: 0 0 16px; padding-left: 20px; }
.note { margin: 0 0 20px; padding: 12px 14px; background: #f8f8f6; border: 1px solid #e6e6e1; border-radius: 8px; }
.note p { margin: 0; }
.note p + p, .note ul, .note ol { margin: 8px 0 0; }
.links a { display: inline-block; margin: 0 8px 8px 0; padding: 9px 16px; border: 1px solid #0b57a4; border-radius: 8px; background: #0b57a4; color: #ffffff; font-weight: 600; text-decoration: none; }
.links .other { background: transparent; color: #0b57a4; }
footer { margin-top: 20px; padding-top: 14px; border-top: 1px solid #e6e6e1; color: #555b65; font-size: 14px; }
footer p { margin: 0 0 4px; }
footer a, li a, .note a { color: #0b57a4; }
${toneRules("light")}
@media (prefers-color-scheme: dark) {
body { background: #121417; color: #e7e8ea; }
main { background: #1b1e22; border-color: #343a41; }
th, td, footer { border-color: #343a41; }
th, .before, footer { color: #a7adb7; }
.state { color: #121417; }
.note { background: #121417; border-color: #343a41; }
.links a { border-color: #8ab8f5; background: #8ab8f5; color: #10233b; }
.links .other { background: transparent; color: #8ab8f5; }
footer a, li a, .note a { color: #8ab8f5; }
${toneRules("dark")}
}
`;
