import { retryMax } from "#limits/check-limits";
import {
  isOfCertificates,
  isOfOutput,
  leftOutWords,
  takesValue,
} from "#service/operator/monitors/curl-options";
import { shellWords } from "#service/operator/monitors/shell-words";

/** What a curl command asks for. */
interface CurlRequest {
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
}

interface Reading {
  url: string;
  method: string;
  headers: { key: string; value: string }[];
  /** The names of those that were typed as a header, in lower case. curl adds none of its options to these. */
  typed: Set<string>;
  /** What all options of a body say together. */
  data: string;
  asQuery: boolean;
  followRedirects: boolean;
  timeout: number | null;
  retry: number | null;
  leftOut: string[];
  /** What it cannot be read without; empty: nothing is missing. */
  lacks: string;
}

/** Options that take a value, by what they do. */
const valued: Readonly<Record<string, (reading: Reading, value: string) => void>> = {
  "-X": (reading, value) => {
    if (/^[a-z][\w!#$%&'*+.^`|~-]*$/i.test(value)) reading.method = value.toUpperCase();
    else reading.lacks = "a method after -X, for example curl -X GET https://example.com";
  },
  "--url": readAddress,
  "-H": header,
  "-A": (reading, value) => byOption(reading, "User-Agent", value),
  "-e": (reading, value) => byOption(reading, "Referer", value),
  "-b": (reading, value) => {
    if (value.includes("=")) byOption(reading, "Cookie", value);
    else reading.leftOut.push(fileWords("-b", value, "add the header Cookie under Request"));
  },
  "-u": (reading, value) => {
    const text = Buffer.from(value).toString("base64");
    byOption(reading, "Authorization", `Basic ${text}`);
  },
  "--oauth2-bearer": (reading, value) => byOption(reading, "Authorization", `Bearer ${value}`),
  "-d": (reading, value) => {
    if (!value.startsWith("@")) addData(reading, "&", value);
    else reading.leftOut.push(fileWords("-d", value, pasteBody));
  },
  "--data-raw": (reading, value) => addData(reading, "&", value),
  "--data-urlencode": (reading, value) => {
    const [, name = "", text = ""] = /^([^=]*=)?(.*)$/s.exec(value) ?? [];
    addData(reading, "&", `${name === "=" ? "" : name}${encodeURIComponent(text)}`);
  },
  "--json": (reading, value) => {
    if (!value.startsWith("@")) addData(reading, "", value);
    else reading.leftOut.push(fileWords("--json", value, pasteBody));
    byOption(reading, "Content-Type", "application/json");
    byOption(reading, "Accept", "application/json");
  },
  "-m": (reading, value) => (reading.timeout = Math.round(Number(value) * 1000) || null),
  "--retry": (reading, value) => {
    const retry = /^\d+$/.test(value) ? Number(value) : null;
    if (retry !== null && retry <= retryMax) reading.retry = retry;
    else reading.leftOut.push(`--retry ${value} is not taken over: type 0 to ${retryMax} retries.`);
  },
};

/** curl puts & before what each option adds, but nothing before what --json adds. */
function addData(reading: Reading, joint: "&" | "", value: string): void {
  reading.data += reading.data === "" ? value : `${joint}${value}`;
}

const pasteBody = "paste its content as the request body";

const fileWords = (option: string, file: string, next: string): string =>
  `${option} ${file} is not taken over: the service does not read that file. Instead, ${next}.`;

/** Long names and what they are short for. */
const longNames: Readonly<Record<string, string>> = {
  "--request": "-X",
  "--header": "-H",
  "--user-agent": "-A",
  "--referer": "-e",
  "--cookie": "-b",
  "--user": "-u",
  "--data": "-d",
  "--data-binary": "-d",
  "--data-ascii": "-d",
  "--max-time": "-m",
  "--location": "-L",
  "--location-trusted": "-L",
  "--head": "-I",
  "--get": "-G",
};

/** Whether a text is meant as a command, also if it is not finished. */
export const isCurl = (text: string): boolean => /^curl(?:\s|$)/.test(text);

/** Null for what is no curl command, and for one that is unfinished. */
export function curlRequest(command: string): CurlRequest | null {
  const [program, ...words] = shellWords(command) ?? [];
  if (program !== "curl") return null;
  const reading = readingOf(words);
  return reading.lacks === "" ? requestOf(reading) : null;
}

/** Why a curl command cannot be read, after the name of its field; empty: it can be. */
export function curlFault(command: string): string {
  const words = shellWords(command);
  if (words === null) return "is a curl command with a quote that does not end: close the quote";
  const { lacks } = readingOf(words.slice(1));
  return lacks === "" ? "" : `is an unfinished curl command: it needs ${lacks}`;
}

function readingOf(words: readonly string[]): Reading {
  const reading: Reading = {
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
    lacks: "",
  };
  for (let index = 0; index < words.length; index += 1)
    index += readWord(reading, words[index] ?? "", words[index + 1] ?? "");
  if (reading.url === "" && reading.lacks === "")
    reading.lacks = "an address, for example curl https://example.com";
  return reading;
}

/** Gives how many words after this one were read with it. */
function readWord(reading: Reading, word: string, next: string): number {
  if (!word.startsWith("-") || word === "-") {
    readAddress(reading, word);
    return 0;
  }
  const [, long = "", joined] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
  const typed = long === "" ? word : long;
  const name = longNames[typed] ?? typed;
  const read = valued[name];
  if (read === undefined && !name.startsWith("--")) return readFlags(reading, name, next);
  if (read !== undefined) read(reading, joined ?? next);
  else leaveOut(reading, typed);
  return joined === undefined && (read !== undefined || takesValue(name)) ? 1 : 0;
}

/** Short options in one word, of which the last may have a value: `-sSL`, `-XPOST`, `-kx proxy`. */
function readFlags(reading: Reading, word: string, next: string): number {
  for (let index = 1; index < word.length; index += 1) {
    const option = `-${word[index]}`;
    const read = valued[option];
    const joined = word.slice(index + 1);
    if (read !== undefined) read(reading, joined === "" ? next : joined);
    else if (option === "-L") reading.followRedirects = true;
    else if (option === "-G") reading.asQuery = true;
    else if (option === "-I") reading.method = "HEAD";
    else leaveOut(reading, option);
    if (read !== undefined || takesValue(option)) return joined === "" ? 1 : 0;
  }
  return 0;
}

function leaveOut({ leftOut }: Reading, option: string): void {
  if (!isOfOutput(option)) leftOut.push(leftOutWords(option));
}

function readAddress(reading: Reading, word: string): void {
  if (reading.url === "") reading.url = word;
  else reading.leftOut.push(`${word} is not taken over: a monitor checks one address.`);
}

const isCalled = ({ key }: { readonly key: string }, name: string): boolean =>
  key.toLowerCase() === name;

/**
 * The header of an option such as `-u`, unless the command has that header itself: curl sends that one alone. Of an option that
 * is there twice the last counts, and cookies are joined.
 */
function byOption({ headers, typed }: Reading, key: string, value: string): void {
  const name = key.toLowerCase();
  if (typed.has(name)) return;
  const known = headers.find((one) => isCalled(one, name));
  if (known === undefined) headers.push({ key, value });
  else known.value = name === "cookie" ? `${known.value}; ${value}` : value;
}

function header(reading: Reading, line: string): void {
  const [, key, value] = /^([^:]+):\s*(.*)$/s.exec(line) ?? [];
  if (key === undefined || value === undefined || value === "") return;
  const name = key.trim().toLowerCase();
  // What an option gave for it before does not count.
  if (!reading.typed.has(name))
    reading.headers = reading.headers.filter((one) => !isCalled(one, name));
  reading.typed.add(name);
  reading.headers.push({ key: key.trim(), value });
}

function requestOf(reading: Reading): CurlRequest {
  const { url, method, headers, data: body, asQuery, followRedirects, timeout, retry } = reading;
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  // A redirect may lead to https.
  const isPlain = /^http:/i.test(whole) && !followRedirects;
  const leftOut = reading.leftOut.filter((words) => !isPlain || !isOfCertificates(words));
  const rest = { followRedirects, timeout, retry, leftOut };
  if (asQuery && body !== "") {
    const joined = `${whole}${whole.includes("?") ? "&" : "?"}${body}`;
    return { url: joined, method: method || "GET", headers, body: "", ...rest };
  }
  const isForm = body !== "" && !headers.some(({ key }) => key.toLowerCase() === "content-type");
  const form = { key: "Content-Type", value: "application/x-www-form-urlencoded" };
  return {
    url: whole,
    method: method || (body === "" ? "GET" : "POST"),
    headers: isForm ? [...headers, form] : headers,
    body,
    ...rest,
  };
}
