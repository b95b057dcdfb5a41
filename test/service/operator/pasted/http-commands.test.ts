import { expect, test } from "vitest";
import { commandFault } from "#service/operator/pasted/pasted-command";
import { pastedMonitor } from "#service/operator/pasted/pasted-monitor";

const address = "https://shop.test/a";
const form = { key: "Content-Type", value: "application/x-www-form-urlencoded" };
const json = { key: "Content-Type", value: "application/json" };
const plain = { url: address, method: "GET", body: "" };
const seconds = (count: number) => expect.stringMatching(new RegExp(`^${count}\\ss$`));

const read = (text: string) => {
  const pasted = pastedMonitor(text);
  return {
    fields: Object.fromEntries(pasted?.fields ?? []),
    headers: pasted?.rows.find(({ field }) => field === "headers")?.values,
    rules: pasted?.rows.filter(({ field }) => field !== "headers"),
    followRedirects: pasted?.followRedirects,
    leftOut: pasted?.leftOut,
  };
};

test.each([
  [`wget ${address}`, plain, []],
  ["wget shop.test/a", { ...plain, url: "http://shop.test/a" }, []],
  [`wget -nv --spider -T 5 -t 3 ${address}`, { method: "HEAD", timeout: seconds(5), retry: "2" }],
  [
    `wget -q --header='X-A: 1' -U me ${address} -O /dev/null`,
    plain,
    [
      { key: "X-A", value: "1" },
      { key: "User-Agent", value: "me" },
    ],
  ],
  [`wget --post-data 'a=1&b=2' ${address}`, { method: "POST", body: "a=1&b=2" }, [form]],
  [
    `wget --method=PUT --body-data='{}' --header='Content-Type: application/json' ${address}`,
    { method: "PUT", body: "{}" },
    [json],
  ],
  [
    `wget --user=ann --password=pw ${address}`,
    plain,
    [{ key: "Authorization", value: "Basic YW5uOnB3" }],
  ],
])(
  "%s is an HTTP monitor that follows redirects, with nothing lost",
  (text, fields, headers = []) => {
    expect(read(text)).toMatchObject({ fields, headers, followRedirects: true, leftOut: [] });
  },
);

test("wget with --max-redirect=0 follows none, and -O - prints what grep judges", () => {
  expect(read(`wget --max-redirect=0 ${address}`).followRedirects).toBe(false);
  expect(read(`wget -qO- ${address} | grep -q ok`)).toMatchObject({
    rules: [{ field: "body_assertions", values: [{ comparator: "contains", target: "ok" }] }],
    leftOut: [],
  });
  expect(read(`wget -q ${address} | grep -q ok`).rules).toEqual([]);
});

test.each([
  ["--no-check-certificate", "certificates are always verified. Give your CA to the agent in"],
  ["--post-file=b.json", "the service does not read that file. Instead, paste its content as"],
  ["--connect-timeout=3", "one timeout bounds the whole attempt."],
  ["-t 0", "type 0 to 10 retries."],
  ["-r", "a check has no such setting."],
])("wget %s is named with what to do", (option, words) => {
  const { fields, leftOut } = read(`wget ${option} ${address}`);
  expect(fields["url"]).toBe(address);
  expect(leftOut).toEqual([expect.stringContaining(words)]);
});

test.each([
  [`http ${address}`, plain, []],
  [`http GET ${address} X-A:1`, plain, [{ key: "X-A", value: "1" }]],
  ["https shop.test/a", plain, []],
  ["http :8080/a q==1", { ...plain, url: "http://localhost:8080/a?q=1" }, []],
  ["http localhost:8080/a", { ...plain, url: "http://localhost:8080/a" }, []],
  [
    `http ${address} name=shop up:=true`,
    { url: address, method: "POST", body: '{"name":"shop","up":true}' },
    [json],
  ],
  [`xh -f put ${address} name='my shop'`, { method: "PUT", body: "name=my%20shop" }, [form]],
  [
    `http --check-status --timeout=5 -a ann:pw ${address}`,
    { ...plain, timeout: seconds(5) },
    [{ key: "Authorization", value: "Basic YW5uOnB3" }],
  ],
])("%s of HTTPie is an HTTP monitor, with nothing lost", (text, fields, headers) => {
  expect(read(text)).toMatchObject({ fields, headers, followRedirects: false, leftOut: [] });
});

test("HTTPie follows redirects with -F, and verifies certificates whatever it is asked", () => {
  expect(read(`http -F --verify=no ${address}`)).toMatchObject({
    followRedirects: true,
    leftOut: [expect.stringContaining("--verify=no is not taken over: certificates are always")],
  });
});

test.each([
  ["wget", "is an unfinished wget command: it needs an address, for example wget -qO- https://"],
  ["http GET", "is an unfinished http command: it needs an address, for example http example.com"],
])("%s cannot be read, and says what it lacks", (text, words) => {
  expect(pastedMonitor(text)).toBeNull();
  expect(commandFault(text)).toContain(words);
});

test("a host may be called http or https", () => {
  expect(read("http").fields).toEqual({ url: "https://http" });
});
