import type { CommandFault } from "#check/kinds/typed-kind";

/** What a command of curl and its like asks for. */
export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  readonly body: string;
  readonly followRedirects: boolean;
  /** Milliseconds; null: the command says none. */
  readonly timeout: number | null;
  /** How often a failed attempt is repeated; null: the command does not say. */
  readonly retry: number | null;
  /** A sentence for each part of the command that is not taken over. */
  readonly leftOut: readonly string[];
  /** What the command prints: the body, its status code alone, or what no assertion is on. */
  readonly prints: "body" | "status" | "other";
}

/** The same while its words are read. */
export interface HttpReading {
  url: string;
  method: string;
  headers: { key: string; value: string }[];
  /** The names of those that were typed as a header, in lower case. No option adds to these. */
  typed: Set<string>;
  /** What all options of a body say together. */
  data: string;
  asQuery: boolean;
  followRedirects: boolean;
  timeout: number | null;
  retry: number | null;
  leftOut: string[];
  /** Whether it prints the body, and nothing before it. */
  isBodyShown: boolean;
  isStatusShown: boolean;
  /** What it cannot be read without; empty: nothing is missing. */
  lacks: string;
}

export const newReading = (): HttpReading => ({
  url: "",
  method: "",
  headers: [],
  typed: new Set(),
  data: "",
  asQuery: false,
  followRedirects: false,
  timeout: null,
  retry: null,
  leftOut: [],
  isBodyShown: true,
  isStatusShown: false,
  lacks: "",
});

/** curl puts & before what each option adds, but nothing before what --json adds. */
export function addData(reading: HttpReading, joint: "&" | "", value: string): void {
  reading.data += reading.data === "" ? value : `${joint}${value}`;
}

export const pasteBody = "paste its content as the request body";

export const fileWords = (option: string, file: string, next: string): string =>
  `${option} ${file} is not taken over: the service does not read that file. Instead, ${next}.`;

export function readAddress(reading: HttpReading, word: string): void {
  if (reading.url === "") reading.url = word;
  else reading.leftOut.push(`${word} is not taken over: a monitor checks one address.`);
}

const isCalled = ({ key }: { readonly key: string }, name: string): boolean =>
  key.toLowerCase() === name;

/**
 * The header of an option such as `-u`, unless the command has that header itself: curl sends that one alone. Of an option that
 * is there twice the last counts, and cookies are joined.
 */
export function byOption({ headers, typed }: HttpReading, key: string, value: string): void {
  const name = key.toLowerCase();
  if (typed.has(name)) return;
  const known = headers.find((one) => isCalled(one, name));
  if (known === undefined) headers.push({ key, value });
  else known.value = name === "cookie" ? `${known.value}; ${value}` : value;
}

/** A user with a password, as `user:password`. */
export const authorize = (reading: HttpReading, user: string): void =>
  byOption(reading, "Authorization", `Basic ${Buffer.from(user).toString("base64")}`);

/** A header that is typed as `Name: value`. */
export function readHeader(reading: HttpReading, line: string): void {
  const [, key, value] = /^([^:]+):\s*(.*)$/s.exec(line) ?? [];
  if (key === undefined || value === undefined || value === "") return;
  const name = key.trim().toLowerCase();
  // What an option gave for it before does not count.
  if (!reading.typed.has(name))
    reading.headers = reading.headers.filter((one) => !isCalled(one, name));
  reading.typed.add(name);
  reading.headers.push({ key: key.trim(), value });
}

export const unfinished = (program: string, lacks: string): CommandFault => ({
  fault: `is an unfinished ${program} command: it needs ${lacks}`,
});

/** Of a reading that lacks nothing. `isOfCertificates` says which of its sentences are only about these. */
export function requestOf(
  reading: HttpReading,
  isOfCertificates: (words: string) => boolean,
): HttpRequest {
  const { url, method, data: body, asQuery, followRedirects, timeout, retry } = reading;
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  // A redirect may lead to https.
  const isPlain = /^http:/i.test(whole) && !followRedirects;
  const leftOut = reading.leftOut.filter((words) => !isPlain || !isOfCertificates(words));
  const rest = { followRedirects, timeout, retry, leftOut, prints: printsOf(reading) };
  if (asQuery && body !== "") {
    const joined = `${whole}${whole.includes("?") ? "&" : "?"}${body}`;
    return {
      url: joined,
      method: method || "GET",
      headers: reading.headers,
      body: "",
      ...rest,
    };
  }
  return {
    url: whole,
    method: method || (body === "" ? "GET" : "POST"),
    headers: withContentType(reading),
    body,
    ...rest,
  };
}

function withContentType({ headers, data }: HttpReading): HttpRequest["headers"] {
  const isForm = data !== "" && !headers.some((one) => isCalled(one, "content-type"));
  const form = { key: "Content-Type", value: "application/x-www-form-urlencoded" };
  return isForm ? [...headers, form] : headers;
}

function printsOf({ isBodyShown, isStatusShown, method }: HttpReading): HttpRequest["prints"] {
  const isBody = isBodyShown && method !== "HEAD";
  if (isStatusShown) return isBody ? "other" : "status";
  return isBody ? "body" : "other";
}
