import {
  type CommandOption,
  commandParts,
  namedOptions,
  notTaken,
  secondsTyped,
} from "#check/kinds/command-parts";
import type { CommandFault } from "#check/kinds/typed-kind";
import { retryMax } from "#limits/check-limits";
import { isOfCertificates, leftOutWords } from "#service/operator/pasted/curl-options";
import {
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

/** What the words after `wget` ask for. */
export function wgetRequest(words: readonly string[]): HttpRequest | CommandFault {
  const { options, rest } = commandParts(
    words.filter((word) => !twoLetters.has(word)),
    valued,
  );
  // wget follows redirects, and prints into a file.
  const reading: HttpReading = { ...newReading(), followRedirects: true, isBodyShown: false };
  for (const address of rest) readAddress(reading, address);
  const user = { name: "", password: "" };
  for (const { name, value } of options) {
    const long = longNames[name] ?? name;
    if (long === "--user" || long === "--http-user") user.name = value;
    else if (long === "--password" || long === "--http-password") user.password = value;
    else readOption(reading, { name, value }, long);
  }
  if (user.name !== "") authorize(reading, `${user.name}:${user.password}`);
  return reading.url === ""
    ? unfinished("wget", "an address, for example wget -qO- https://example.com")
    : requestOf(reading, isOfCertificates);
}

/** Options without dashes between their letters: `-nv`. */
const twoLetters = namedOptions("-nv -nc -nd -np -nH -nh");

const longNames: Readonly<Record<string, string>> = {
  "-O": "--output-document",
  "-T": "--timeout",
  "-t": "--tries",
  "-U": "--user-agent",
};

const valued = namedOptions(`
  -O --output-document -T --timeout -t --tries -U --user-agent -o --output-file -a --append-output -e --execute -i --input-file
  -P --directory-prefix -Q --quota -w --wait --waitretry --header --post-data --post-file --body-data --body-file --method
  --user --password --http-user --http-password --referer --max-redirect --connect-timeout --read-timeout --dns-timeout
  --ca-certificate --ca-directory --certificate --certificate-type --private-key --private-key-type --secure-protocol
  --load-cookies --save-cookies --limit-rate --bind-address --progress --compression --ciphers -l --level -A --accept
  -R --reject -D --domains --default-page --start-pos --restrict-file-names --proxy-user --proxy-password --retry-on-http-error`);

/** Options that take a value, or change the request, by what they do. */
const read: Readonly<Record<string, (reading: HttpReading, value: string) => void>> = {
  "--output-document": (reading, value) => {
    if (value === "-" || value === "/dev/stdout") reading.isBodyShown = true;
  },
  "--timeout": (reading, value) => (reading.timeout = secondsTyped(value)),
  "--tries": (reading, value) => {
    const tries = /^\d+$/.test(value) ? Number(value) : 0;
    // 0 is without an end.
    if (tries >= 1 && tries <= retryMax + 1) reading.retry = tries - 1;
    else reading.leftOut.push(notTaken(`-t ${value}`, `type 0 to ${retryMax} retries`));
  },
  "--user-agent": (reading, value) => byOption(reading, "User-Agent", value),
  "--referer": (reading, value) => byOption(reading, "Referer", value),
  "--header": readHeader,
  "--method": (reading, value) => (reading.method = value.toUpperCase()),
  "--spider": (reading) => (reading.method ||= "HEAD"),
  "--post-data": postData,
  "--body-data": (reading, value) => (reading.data = value),
  "--max-redirect": (reading, value) => (reading.followRedirects = value !== "0"),
};

function postData(reading: HttpReading, value: string): void {
  reading.method = "POST";
  reading.data = value;
}

/** Options that are only about what is printed or kept: a check loses nothing without them. */
const idle = namedOptions(`
  -q --quiet -v --verbose --no-verbose -d --debug -o --output-file -a --append-output -S --server-response -b --background
  -c --continue --progress --show-progress -P --directory-prefix -N --timestamping --no-clobber --no-cache --content-disposition
  --trust-server-names --save-cookies --no-hsts --no-config --save-headers --content-on-error --no-cookies
  --auth-no-challenge --no-netrc --no-directories --report-speed`);

/** What they are called by curl, of which the same is said. */
const asCurl: Readonly<Record<string, string>> = {
  "--no-check-certificate": "--insecure",
  "--ca-certificate": "--cacert",
  "--ca-directory": "--capath",
  "--certificate": "--cert",
  "--private-key": "--key",
  "--connect-timeout": "--connect-timeout",
  "--read-timeout": "--connect-timeout",
  "--dns-timeout": "--connect-timeout",
  "--no-proxy": "--proxy",
};

function readOption(reading: HttpReading, { name, value }: CommandOption, long: string): void {
  const reader = read[long];
  if (reader !== undefined) reader(reading, value);
  else if (long === "--post-file" || long === "--body-file") {
    if (long === "--post-file") reading.method = "POST";
    reading.leftOut.push(fileWords(name, value, pasteBody));
  } else if (long === "--load-cookies")
    reading.leftOut.push(fileWords(name, value, "add the header Cookie under Request"));
  else if (!idle.has(name)) reading.leftOut.push(leftOutWords(name, asCurl[name] ?? ""));
}
