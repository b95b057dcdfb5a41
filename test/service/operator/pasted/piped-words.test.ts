import { expect, test } from "vitest";
import { pastedMonitor } from "#service/operator/pasted/pasted-monitor";

const address = "https://shop.test/health";
const leftOutOf = (text: string) => pastedMonitor(text)?.leftOut;
const rulesOf = (text: string) =>
  pastedMonitor(text)?.rows.filter(({ field }) => field.endsWith("_assertions"));

test.each([
  ["| jq .", "“| jq .” is not taken over: to judge a value of the answer, add an assertion on a"],
  ["| jq -r .a | head -1", "“| jq -r .a | head -1” is not taken over: to judge a value of the"],
  ["| grep -i ok", "“| grep -i ok” is not taken over: to judge the answer, add an assertion."],
  ["|| echo down", "“|| echo down” is not taken over: a monitor runs the first command alone."],
  ["&& echo ok", "“&& echo ok” is not taken over: a monitor runs the first command alone."],
  ["; echo $?", "“; echo $?” is not taken over: a monitor runs the first command alone."],
  ["<< EOF", "“<< EOF” is not taken over: a monitor runs the first command alone."],
  [">/dev/null 2>&1 && echo ok", "“&& echo ok” is not taken over: a monitor runs the first"],
  [`| ${"a".repeat(99)}`, `“| ${"a".repeat(58)}…” is not taken over`],
])("a command that ends in %s is read to there, and one sentence names the rest", (end, words) => {
  const text = `curl -m 3 ${address} ${end}`;
  expect(Object.fromEntries(pastedMonitor(text)?.fields ?? [])).toMatchObject({
    url: address,
    timeout: expect.stringMatching(/^3\ss$/),
  });
  expect(leftOutOf(text)).toEqual([expect.stringContaining(words)]);
});

test.each([
  "> /dev/null",
  ">/dev/null 2>&1",
  "2>/dev/null",
  "&> out.txt",
  "|| exit 1",
  "|| false",
  "&",
  ";",
  "# the shop's health",
])("nothing is lost by %s, so nothing is said", (end) => {
  const text = `curl ${address} ${end}`;
  expect(pastedMonitor(text)?.fields.get("url")).toBe(address);
  expect(leftOutOf(text)).toEqual([]);
});

test("an address without quotes keeps its & and ;", () => {
  const url = "http://shop.test/a?b=1&c=2;d=3&&e";
  for (const end of ["", " | jq .", "|jq ."])
    expect(pastedMonitor(`curl ${url}${end}`)?.fields.get("url")).toBe(url);
  expect(leftOutOf(`curl ${url}`)).toEqual([]);
});

test.each([
  ["", "| grep ok", "body_assertions", { comparator: "contains", target: "ok" }],
  [
    "-fsS",
    `| grep -qF '"a":[1]' || exit 1`,
    "body_assertions",
    { comparator: "contains", target: '"a":[1]' },
  ],
  [
    "-so /dev/null -w '%{http_code}'",
    "| grep -q 204",
    "status_code_assertions",
    { comparator: "eq", target: "204" },
  ],
  [
    "-s",
    `| jq -e '.a.status == "ok"'`,
    "json_assertions",
    { path: "$.a.status", comparator: "eq", target: "ok" },
  ],
  [
    "-s",
    `| jq -e '.items[0]=="5"'`,
    "json_assertions",
    { path: "$.items[0]", comparator: "eq", target: '"5"' },
  ],
  ["-s", "| jq '.up==true'", "json_assertions", { path: "$.up", comparator: "eq", target: "true" }],
])("curl %s with %s at its end has an assertion", (options, end, field, values) => {
  const text = `curl ${options} ${address} ${end}`;
  expect(rulesOf(text)).toEqual([{ field, values: [values] }]);
  expect(leftOutOf(text)).toEqual([]);
});

test.each([
  ["-I", "| grep nginx"],
  ["-i", "| grep nginx"],
  ["-o /dev/null", "| grep ok"],
  ["", "| grep -v error"],
  ["", "| grep '^ok$'"],
  ["", "| grep -q ok && echo up"],
])("curl %s with %s has none: it would be about something else", (options, end) => {
  const text = `curl ${options} ${address} ${end}`;
  expect(rulesOf(text)).toEqual([]);
  expect(leftOutOf(text)).toHaveLength(1);
});

test.each([
  `$ curl ${address}`,
  `ann@shop:~/a$ curl ${address}`,
  `sudo /usr/bin/curl ${address}`,
  `watch -n 5 curl ${address}`,
  `TOKEN=a time curl ${address}`,
  `curl.exe ${address}`,
  `bash -c 'curl ${address}'`,
  `watch -n 2 "curl -s ${address}"`,
])("%s is read as the command that it runs", (text) => {
  expect(pastedMonitor(text)?.fields.get("url")).toBe(address);
  expect(leftOutOf(text)).toEqual([]);
});

test("a variable of the shell is named: it has no value here", () => {
  const words = "$TOKEN has no value here: type its value, or {{secret:TOKEN}} for a secret of the";
  for (const header of [`"Authorization: Bearer $TOKEN"`, `"x-key: \${TOKEN}"`])
    expect(leftOutOf(`curl -H ${header} ${address}`)).toEqual([expect.stringContaining(words)]);
  expect(leftOutOf("ping $HOST")).toEqual(["$HOST has no value here: type its value."]);
  expect(leftOutOf(`curl -H 'x-key: $TOKEN' ${address} | awk "$a"`)).toHaveLength(1);
  expect(leftOutOf(`curl -d "\\$5" ${address}`)).toEqual([]);
});

test("what is passed to a command is named, and the command is read", () => {
  for (const text of ["echo quit | telnet mail.test 25", "printf 'PING\\r\\n' | nc mail.test 25"])
    expect(pastedMonitor(text)).toMatchObject({
      kind: "tcp",
      leftOut: [expect.stringContaining("is not taken over: a monitor runs the command after it")],
    });
  expect(pastedMonitor("echo quit | cat")).toBeNull();
});
