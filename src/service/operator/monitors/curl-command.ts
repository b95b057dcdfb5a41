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
}

interface Reading {
  url: string;
  method: string;
  headers: { key: string; value: string }[];
  data: string[];
  asQuery: boolean;
  followRedirects: boolean;
  timeout: number | null;
}

/** Options that take a value, by what they do. Every other one with a value is passed over with it. */
const valued: Readonly<Record<string, (reading: Reading, value: string) => void>> = {
  "-X": (reading, value) => (reading.method = value.toUpperCase()),
  "--url": (reading, value) => (reading.url = value),
  "-H": header,
  "-A": (reading, value) => void reading.headers.push({ key: "User-Agent", value }),
  "-e": (reading, value) => void reading.headers.push({ key: "Referer", value }),
  "-b": (reading, value) => void reading.headers.push({ key: "Cookie", value }),
  "-u": (reading, value) =>
    void reading.headers.push({ key: "Authorization", value: `Basic ${btoa(value)}` }),
  "-d": (reading, value) => void reading.data.push(value),
  "--json": (reading, value) => {
    reading.data.push(value);
    reading.headers.push({ key: "Content-Type", value: "application/json" });
    reading.headers.push({ key: "Accept", value: "application/json" });
  },
  "-m": (reading, value) => (reading.timeout = Math.round(Number(value) * 1000) || null),
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
  "--data-raw": "-d",
  "--data-binary": "-d",
  "--data-ascii": "-d",
  "--data-urlencode": "-d",
  "--max-time": "-m",
  "--location": "-L",
  "--head": "-I",
  "--get": "-G",
};

/** Options with a value that say nothing of a check. */
const passedOver: ReadonlySet<string> = new Set([
  "-o",
  "--output",
  "-w",
  "--write-out",
  "--connect-timeout",
  "--retry",
  "--retry-delay",
  "-x",
  "--proxy",
  "--cacert",
  "--cert",
  "--key",
  "-E",
  "--resolve",
  "--interface",
  "-c",
  "--cookie-jar",
  "-D",
  "--dump-header",
]);

/** Null for what is no curl command, and for one without an address. */
export function curlRequest(command: string): CurlRequest | null {
  const [program, ...words] = shellWords(command) ?? [];
  if (program !== "curl") return null;
  const reading: Reading = {
    url: "",
    method: "",
    headers: [],
    data: [],
    asQuery: false,
    followRedirects: false,
    timeout: null,
  };
  for (let index = 0; index < words.length; index += 1)
    index += readWord(reading, words[index] ?? "", words[index + 1] ?? "");
  return reading.url === "" ? null : requestOf(reading);
}

/** Gives how many words after this one were read with it. */
function readWord(reading: Reading, word: string, next: string): number {
  if (!word.startsWith("-") || word === "-") {
    reading.url = word;
    return 0;
  }
  const [, long = "", joined] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
  const name = longNames[long === "" ? word : long] ?? (long === "" ? word : long);
  const read = valued[name];
  if (read !== undefined) {
    read(reading, joined ?? next);
    return joined === undefined ? 1 : 0;
  }
  if (passedOver.has(name)) return joined === undefined ? 1 : 0;
  // `-XPOST`, `-sSL`.
  const close = name.startsWith("--") ? undefined : valued[name.slice(0, 2)];
  if (close !== undefined && name.length > 2) close(reading, name.slice(2));
  else for (const flag of name.startsWith("--") ? [] : name.slice(1)) readFlag(reading, flag);
  return 0;
}

function readFlag(reading: Reading, flag: string): void {
  if (flag === "L") reading.followRedirects = true;
  if (flag === "G") reading.asQuery = true;
  if (flag === "I") reading.method = "HEAD";
}

function header({ headers }: Reading, line: string): void {
  const [, key, value] = /^([^:]+):\s*(.*)$/s.exec(line) ?? [];
  if (key !== undefined && value !== undefined && value !== "")
    headers.push({ key: key.trim(), value });
}

function requestOf({ url, method, headers, data, asQuery, ...rest }: Reading): CurlRequest {
  const { followRedirects, timeout } = rest;
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  const body = data.join("&");
  if (asQuery && body !== "") {
    const joined = `${whole}${whole.includes("?") ? "&" : "?"}${body}`;
    return { url: joined, method: method || "GET", headers, body: "", followRedirects, timeout };
  }
  const isForm = body !== "" && !headers.some(({ key }) => key.toLowerCase() === "content-type");
  const form = { key: "Content-Type", value: "application/x-www-form-urlencoded" };
  return {
    url: whole,
    method: method || (body === "" ? "GET" : "POST"),
    headers: isForm ? [...headers, form] : headers,
    body,
    followRedirects,
    timeout,
  };
}
