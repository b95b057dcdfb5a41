import {
  type CommandOption,
  commandParts,
  namedOptions,
  notTaken,
  secondsTyped,
} from "#check/kinds/command-parts";
import type { CommandFault } from "#check/kinds/typed-kind";
import { httpMethods } from "#check/monitor";
import { isOfCertificates, leftOutWords } from "#service/operator/pasted/curl-options";
import {
  addData,
  authorize,
  byOption,
  fileWords,
  type HttpReading,
  type HttpRequest,
  newReading,
  pasteBody,
  readHeader,
  requestOf,
  unfinished,
} from "#service/operator/pasted/http-request";

/** What the words after `http` or `https` of HTTPie, or after xh, ask for: `http PUT shop.example/a X-A:1 name=shop`. */
export function httpieRequest(
  words: readonly string[],
  program: string,
): HttpRequest | CommandFault {
  const { options, rest } = commandParts(words, valued);
  const reading = newReading();
  const isForm = options.some(({ name }) => name === "-f" || name === "--form");
  const [first = "", ...others] = rest;
  const hasMethod = /^[A-Za-z]+$/.test(first) && others.length > 0 && !isItem(others[0] ?? "");
  reading.method = hasMethod ? first.toUpperCase() : "";
  const [address = "", ...items] = hasMethod ? others : rest;
  if (address === "" || (rest.length === 1 && methods.has(address.toUpperCase())))
    return unfinished(program, `an address, for example ${program} example.com`);
  reading.url = wholeAddress(address, /^(?:https|xhs)$/.test(program) ? "https" : "http");
  for (const option of options) readOption(reading, option);
  readItems(reading, items, isForm);
  return requestOf(reading, isOfCertificates);
}

const methods: ReadonlySet<string> = new Set(httpMethods);

/** Whether a word after the first one is part of the request, so that the first is an address. */
const isItem = (word: string): boolean =>
  /^[^:=@/]+(?::=|==|=|@|:(?!\d+(?:\/|$)|\/\/))/.test(word) && !word.includes("://");

/** `:8080/a` is on this machine. */
function wholeAddress(address: string, scheme: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address;
  const [, port, path] = /^:(\d*)(.*)$/s.exec(address) ?? [];
  if (port === undefined) return `${scheme}://${address}`;
  return `${scheme}://localhost${port === "" ? "" : `:${port}`}${path}`;
}

const valued = namedOptions(`
  -a --auth -A --auth-type --timeout --verify --cert --cert-key --raw -o --output -p --print -s --style --pretty --session
  --session-read-only --proxy --max-redirects --boundary --ssl --format-options --response-charset --ciphers`);

/** Options that are only about what is printed, or how the body is written, which its items show. */
const idle = namedOptions(`
  -j --json -f --form -b --body -v --verbose -q --quiet --pretty -s --style --check-status --ignore-stdin -I -o --output
  -d --download --stream -S --format-options --response-charset --all -A --auth-type --pretty`);

function readOption(reading: HttpReading, { name, value }: CommandOption): void {
  if (name === "-a" || name === "--auth")
    if (value.includes(":")) authorize(reading, value);
    else byOption(reading, "Authorization", `Bearer ${value}`);
  else if (name === "-F" || name === "--follow") reading.followRedirects = true;
  else if (name === "--timeout") reading.timeout = secondsTyped(value);
  else if (name === "--raw") reading.data = value;
  else if (name === "-h" || name === "--headers" || name === "-p" || name === "--print")
    reading.isBodyShown = false;
  else if (name === "--verify") {
    if (/^(?:no|false)$/i.test(value))
      reading.leftOut.push(leftOutWords(`--verify=${value}`, "--insecure"));
    else if (!/^(?:yes|true)$/i.test(value)) reading.leftOut.push(leftOutWords(name, "--cacert"));
  } else if (name === "--cert" || name === "--cert-key")
    reading.leftOut.push(leftOutWords(name, "--cert"));
  else if (!idle.has(name))
    reading.leftOut.push(leftOutWords(name, name === "--proxy" ? name : ""));
}

/** Headers, a query, and fields of the body, by what is between name and value. */
function readItems(reading: HttpReading, items: readonly string[], isForm: boolean): void {
  const fields: [name: string, json: string, text: string][] = [];
  for (const item of items) {
    const [, name = "", joint = "", value = ""] =
      /^((?:[^:=@\\]|\\.)+)(:=|==|:|=|@)(.*)$/s.exec(item) ?? [];
    const plain = name.replaceAll(/\\(.)/g, "$1");
    if (joint === ":") readHeader(reading, `${plain}:${value}`);
    else if (joint === "==") addQuery(reading, plain, value);
    else if (joint === ":=") fields.push([plain, value, value]);
    else if (joint === "=") fields.push([plain, JSON.stringify(value), value]);
    else if (joint === "@") reading.leftOut.push(fileWords(plain, `@${value}`, pasteBody));
    else reading.leftOut.push(notTaken(item, "a monitor checks one address"));
  }
  if (fields.length > 0 && isForm)
    for (const [name, , text] of fields)
      addData(reading, "&", `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  else if (fields.length > 0)
    reading.data = `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
  if (reading.data !== "" && !isForm) byOption(reading, "Content-Type", "application/json");
}

function addQuery(reading: HttpReading, name: string, value: string): void {
  const joint = reading.url.includes("?") ? "&" : "?";
  reading.url += `${joint}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}
