import type { Mistake } from "#check/findings";
import type { Header } from "#check/monitor";
import { framingHeaders, headerMistake } from "#check/read-headers";
import * as limits from "#limits/check-limits";

/** A configuration, or all that is wrong with what was given. */
export type ConfigurationReading<T> =
  | { readonly ok: true; readonly configuration: T }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

/** The arguments of a channel as a person wrote them, by the names of the interface. */
export type ChannelArguments = Readonly<Record<string, unknown>>;

/** Reads the arguments of one channel, and takes down what is wrong with them. */
export class ConfigurationReader {
  readonly #given: ChannelArguments;
  readonly #mistakes: Mistake[] = [];

  constructor(given: ChannelArguments) {
    this.#given = given;
  }

  /** Takes down a mistake. Gives an empty text, for a reader to pass on. */
  mistake(field: string, message: string): string {
    this.#mistakes.push({ field, message });
    return "";
  }

  finish<T>(configuration: T): ConfigurationReading<T> {
    const mistakes = this.#mistakes;
    return mistakes.length === 0 ? { ok: true, configuration } : { ok: false, mistakes };
  }

  /** A text that has to be there and to match, as it was written; `expected` completes "must be …". */
  text(field: string, pattern: RegExp, expected: string): string {
    const value = this.#text(field);
    if (value === null) return this.mistake(field, `must be ${expected}`);
    if (value === "") return this.mistake(field, `is required: give ${expected}`);
    if (pattern.test(value)) return value;
    const isPadded = pattern.test(value.trim());
    return this.mistake(field, isPadded ? padded : `must be ${expected}`);
  }

  optionalText(field: string, pattern: RegExp, expected: string): string {
    return this.#text(field) === "" ? "" : this.text(field, pattern, expected);
  }

  /** A secret URL, as it was written. Plain http is judged when it is sent, by where its host leads. */
  url(field: string, example = "https://host/path"): string {
    const value = this.#text(field);
    const expected = `an https or http URL, for example ${example}`;
    if (value === "") return this.mistake(field, `is required: give ${expected}`);
    const url = value === null ? null : URL.parse(value);
    if (value === null || url === null || !/^https?:$/.test(url.protocol))
      return this.mistake(field, `must be ${expected}`);
    if (value.length > limits.targetCharsMax)
      return this.mistake(field, `is longer than ${limits.targetCharsMax} characters`);
    if (/[\p{Cc}\s]/u.test(value))
      return this.mistake(field, "has a space or a line break: remove it");
    return value;
  }

  optionalUrl(field: string, example: string): string {
    return this.#text(field) === "" ? "" : this.url(field, example);
  }

  /** Headers that a receiver wants in addition to ours; `reserved` are those that ours must not lose. */
  headers(field: string, reserved: RegExp): readonly Header[] {
    const rows = this.#given[field] ?? [];
    if (!Array.isArray(rows)) {
      this.mistake(field, "must be a list of key and value");
      return [];
    }
    if (rows.length > limits.headersMax)
      this.mistake(field, `has ${rows.length} entries, more than ${limits.headersMax}`);
    return rows.slice(0, limits.headersMax).flatMap((row: unknown, index) => {
      const header = headerOf(row);
      const at = `${field}[${index}]`;
      if (header === null) this.mistake(at, "must have a key and a value, each of them a text");
      else this.#checkHeader(at, header, reserved);
      return header === null ? [] : [header];
    });
  }

  #checkHeader(at: string, header: Header, reserved: RegExp): void {
    const name = header.key.toLowerCase();
    const wrong = headerMistake(header);
    if (header.key === "") this.mistake(`${at}.key`, "is required");
    else if (wrong !== null) this.mistake(`${at}.${wrong.part}`, wrong.message);
    else if (framingHeaders.has(name) || reserved.test(name))
      this.mistake(`${at}.key`, `${name} is set by Picket itself`);
  }

  /** Null for what is no text. */
  #text(field: string): string | null {
    const value = this.#given[field] ?? "";
    return typeof value === "string" ? value : null;
  }
}

const padded = "has a space or a line break before or after it: remove it";

function headerOf(row: unknown): Header | null {
  if (typeof row !== "object" || row === null) return null;
  const { key, value = "" }: { key?: unknown; value?: unknown } = row;
  return typeof key === "string" && typeof value === "string" ? { key, value } : null;
}
