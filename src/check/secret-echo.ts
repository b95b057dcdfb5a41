import * as limits from "#limits/secrets-limits";
import { removed } from "#check/shown-header";

/** How closely a text may be looked at still, in characters of the secret that are compared with one place of the text. */
export class SearchSteps {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get isUsedUp(): boolean {
    return this.#left < 0;
  }

  take(steps: number): void {
    this.#left -= steps;
  }
}

/**
 * Takes a secret out of what a peer sent back, in any case of its letters: as it is, percent-encoded, escaped for JSON or
 * HTML, or as part of a base64 text; also if what is shown ends within it, unless it is known to be whole.
 */
export class SecretEcho {
  /** Each as its characters. */
  readonly #spellings: readonly (readonly string[])[];
  readonly #beginnings: RegExp;
  /** In every text that holds it: how a spelling begins, or a character by which others are written. */
  readonly #signs: RegExp;

  constructor(secret: string) {
    const spellings = [secret, ...base64Of(secret)];
    this.#spellings = spellings.map((text) => Array.from(text));
    const plain = spellings.map((text) => RegExp.escape(text.slice(0, limits.secretCharsMin)));
    const isForeign = /[^\0-\x7f]/.test(secret.slice(0, limits.secretCharsMin));
    const also = `${secret.includes(" ") ? "+" : ""}${isForeign ? "?" : ""}`;
    const escapes = String.raw`[%\\&${also}\x80-\uffff]`;
    this.#signs = new RegExp([escapes, ...plain].join("|"), "i");
    const beginnings = this.#spellings.map((characters) =>
      characters.slice(0, 3).map(anyForm).join(""),
    );
    // Three characters tell where to look more closely; ahead, since one may begin within another.
    this.#beginnings = new RegExp(`(?=${beginnings.join("|")})`, "g");
  }

  /** Also once `steps` are used up: it is not known that it is not. */
  isIn(text: string, steps?: SearchSteps): boolean {
    return this.#placesIn(text, false, steps).length > 0;
  }

  /**
   * Once `steps` are used up, nothing of the text is left: a peer may send one in which every place may begin the secret.
   * A text that is whole cuts no secret off. If a beginning of the secret were cut at its end, a peer that repeats there
   * what it was asked for would tell whether a guess of the secret's next character is right.
   */
  cut(text: string, isWhole = false, steps?: SearchSteps): string {
    let rest = "";
    let at = 0;
    for (const { from, to } of this.#placesIn(text, isWhole, steps)) {
      if (from < at) continue;
      rest += `${text.slice(at, from)}${removed}`;
      at = to;
    }
    return at === 0 ? text : rest + text.slice(at);
  }

  /** Where it stands in a text. */
  #placesIn(text: string, isWhole: boolean, steps = new SearchSteps(Infinity)): readonly Place[] {
    // Most answers hold no sign of it, and that costs a hundredth of a look.
    if (text.length < limits.secretCharsMin || !this.#signs.test(text)) return [];
    const small = smallLetters(text);
    const places: Place[] = [];
    for (const { index } of small.matchAll(this.#beginnings)) {
      const ends = this.#spellings.map((one) =>
        endOf(one, { text: small, from: index, isWhole, steps }),
      );
      const to = Math.max(0, ...ends);
      if (steps.isUsedUp) return [{ from: 0, to: text.length }];
      if (to > 0) places.push({ from: index, to });
    }
    return places;
  }
}

/** Letters of ASCII count alike in both cases, and none changes its length. */
const smallLetters = (text: string): string =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

interface Place {
  readonly from: number;
  readonly to: number;
}

/** A place of a text at which a spelling may begin. */
interface Beginning {
  readonly text: string;
  readonly from: number;
  readonly isWhole: boolean;
  readonly steps: SearchSteps;
}

/**
 * Where a spelling that begins here ends: as a whole, or as a beginning that the end of the text cuts off, unless that is whole; else 0. What one
 * character looks like may begin what another one does, so every place that it can end at is followed.
 */
function endOf(spelling: readonly string[], { text, from, isWhole, steps }: Beginning): number {
  let places: ReadonlySet<number> = new Set([from]);
  for (const [index, character] of spelling.entries()) {
    steps.take(places.size);
    if (steps.isUsedUp) return 0;
    const next = new Set<number>();
    for (const at of places)
      for (const form of formsOf(character))
        if (text.startsWith(form, at)) next.add(at + form.length);
    if (next.size === 0) {
      const end = Math.max(...places);
      return !isWhole && index >= limits.secretCharsMin && isCutOff(text, end) ? end : 0;
    }
    places = next;
  }
  return Math.max(...places);
}

const forms = new Map<string, readonly string[]>();

const formsOf = (character: string): readonly string[] =>
  forms.getOrInsertComputed(character, everyForm);

/** Whatever shows the beginning of a text ends it with an ellipsis, a quote or a bracket, maybe within an escape. */
const isCutOff = (text: string, at: number): boolean =>
  /^(?:%[\da-f]?|\\u?[\da-f]{0,3}|&#?\w{0,5})?["'…)\]]*$/i.test(text.slice(at, at + 16));

/** A character as peers write it, in small letters: as it is, by its bytes, percent-encoded, or escaped. */
function everyForm(character: string): readonly string[] {
  const cases = [character, character.toLowerCase(), character.toUpperCase()];
  return [...new Set(cases.flatMap((one) => [one, ...escapesOf(one)]).map(smallLetters))];
}

function escapesOf(character: string): readonly string[] {
  const bytes = Buffer.from(character);
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const code = character.codePointAt(0) ?? 0;
  return [
    [...bytes].map((byte) => `%${hex(byte, 2)}`).join(""),
    units.map((unit) => String.raw`\u${hex(unit, 4)}`).join(""),
    `&#${code};`,
    `&#x${hex(code, 1)};`,
    // Values of header fields are shown with one character for each byte. Programs that know ASCII alone put a sign there.
    ...(bytes.length > 1 ? [bytes.toString("latin1"), ...unknownSigns(bytes.length)] : []),
    ...(named[character] ?? []),
  ];
}

const unknownSigns = (bytes: number): readonly string[] => [
  "?",
  "?".repeat(bytes),
  "\ufffd",
  "\ufffd".repeat(bytes),
];

const anyForm = (character: string): string =>
  `(?:${formsOf(character)
    .map((form) => RegExp.escape(form))
    .join("|")})`;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

const named: Readonly<Record<string, readonly string[]>> = {
  " ": ["+"],
  '"': [String.raw`\"`, "&quot;"],
  "\\": [String.raw`\\`],
  "/": [String.raw`\/`],
  "&": ["&amp;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  "'": ["&apos;"],
  "\n": [String.raw`\n`],
  "\r": [String.raw`\r`],
  "\t": [String.raw`\t`],
};

/** What a base64 text has of it for sure, wherever in a group of three bytes it begins; in both alphabets. */
function base64Of(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const core = whole.slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + bytes.length) * 8) / 6),
    );
    if (core.length < limits.secretCharsMin) return [];
    const forUrls = core.replaceAll("+", "-").replaceAll("/", "_");
    return core === forUrls ? [core] : [core, forUrls];
  });
}
