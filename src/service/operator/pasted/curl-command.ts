import { retryMax } from "#limits/check-limits";
import type { CommandFault } from "#check/kinds/typed-kind";
import {
  changesOutput,
  isOfCertificates,
  isOfOutput,
  leftOutWords,
  takesValue,
} from "#service/operator/pasted/curl-options";
import {
  addData,
  authorize,
  byOption,
  fileWords,
  type HttpReading,
  type HttpRequest,
  newReading,
  pasteBody,
  readAddress,
  readHeader,
  requestOf,
  unfinished,
} from "#service/operator/pasted/http-request";

/** Options that take a value, by what they do. */
const valued: Readonly<Record<string, (reading: HttpReading, value: string) => void>> = {
  "-X": (reading, value) => {
    if (/^[a-z][\w!#$%&'*+.^`|~-]*$/i.test(value)) reading.method = value.toUpperCase();
    else reading.lacks = "a method after -X, for example curl -X GET https://example.com";
  },
  "--url": readAddress,
  "-H": readHeader,
  "-A": (reading, value) => byOption(reading, "User-Agent", value),
  "-e": (reading, value) => byOption(reading, "Referer", value),
  "-b": (reading, value) => {
    if (value.includes("=")) byOption(reading, "Cookie", value);
    else reading.leftOut.push(fileWords("-b", value, "add the header Cookie under Request"));
  },
  "-u": authorize,
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
  "-w": (reading, value) => {
    if (/%\{(?:http_code|response_code)\}/.test(value)) reading.isStatusShown = true;
  },
  "-m": (reading, value) => (reading.timeout = Math.round(Number(value) * 1000) || null),
  "--retry": (reading, value) => {
    const retry = /^\d+$/.test(value) ? Number(value) : null;
    if (retry !== null && retry <= retryMax) reading.retry = retry;
    else reading.leftOut.push(`--retry ${value} is not taken over: type 0 to ${retryMax} retries.`);
  },
};

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
  "--write-out": "-w",
  "--location": "-L",
  "--location-trusted": "-L",
  "--head": "-I",
  "--get": "-G",
};

/** What the words after `curl` ask for. */
export function curlRequest(words: readonly string[]): HttpRequest | CommandFault {
  const reading = newReading();
  for (let index = 0; index < words.length; index += 1)
    index += readWord(reading, words[index] ?? "", words[index + 1] ?? "");
  if (reading.url === "" && reading.lacks === "")
    reading.lacks = "an address, for example curl https://example.com";
  return reading.lacks === ""
    ? requestOf(reading, isOfCertificates)
    : unfinished("curl", reading.lacks);
}

/** Gives how many words after this one were read with it. */
function readWord(reading: HttpReading, word: string, next: string): number {
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
function readFlags(reading: HttpReading, word: string, next: string): number {
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

function leaveOut(reading: HttpReading, option: string): void {
  if (changesOutput(option)) reading.isBodyShown = false;
  if (!isOfOutput(option)) reading.leftOut.push(leftOutWords(option));
}
