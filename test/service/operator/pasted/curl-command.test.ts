import { expect, test } from "vitest";
import { commandLine } from "#service/operator/pasted/command-line";
import { curlRequest as requestIn } from "#service/operator/pasted/curl-command";

const curlRequest = (line: string) => {
  const request = requestIn(commandLine(line).words ?? []);
  return "fault" in request ? null : request;
};

test("options that a check has a field for are taken over, and nothing is said of them", () => {
  expect(
    curlRequest("curl -sSL -u mé:secret -m 5 --retry 2 -XPUT -o /dev/null https://shop.example/a"),
  ).toEqual({
    url: "https://shop.example/a",
    method: "PUT",
    headers: [{ key: "Authorization", value: "Basic bcOpOnNlY3JldA==" }],
    body: "",
    followRedirects: true,
    timeout: 5_000,
    retry: 2,
    leftOut: [],
    prints: "other",
  });
});

test.each(["M-SEARCH", "version-control", "PURGE"])(
  "the method %s is taken over: the form says which ones a check may have",
  (method) => {
    const request = curlRequest(`curl -X ${method} https://shop.example/a`);
    expect(request?.method).toBe(method.toUpperCase());
  },
);

test("a body and a query are read as curl sends them", () => {
  const address = "https://shop.example/a";
  expect(curlRequest(`curl --data-raw @a --data-urlencode 'b=c d' ${address}`)?.body).toBe(
    "@a&b=c%20d",
  );
  const bodyOf = (options: string): string | undefined =>
    curlRequest(`curl ${options} ${address}`)?.body;
  expect(bodyOf(`--json '{"a":1' --json ',"b":2}'`)).toBe('{"a":1,"b":2}');
  expect(bodyOf(`-d a --json '{}'`)).toBe("a{}");
  expect(bodyOf(`--json '{}' -d a`)).toBe("{}&a");
  expect(curlRequest(`curl -G -d a=1 ${address}?b=2`)?.url).toBe(`${address}?b=2&a=1`);
});

test.each([
  ["-k", "-k is not taken over: certificates are always verified. Give your CA to the agent in"],
  ["--cacert ca.pem", "--cacert is not taken over: certificates are always verified."],
  ["--cert=a.pem", "--cert is not taken over: give the certificate to the agent in PICKET_CLIENT"],
  ["-x http://10.0.0.8:3128", "-x is not taken over: give the proxy to the agent in PICKET_TARGET"],
  ["--resolve a:443:10.0.0.1", "--resolve is not taken over: the agent looks names up itself."],
  ["--connect-timeout 3", "--connect-timeout is not taken over: one timeout bounds the whole"],
  ["-F a=1", "-F is not taken over: type the request body under Request."],
  ["-d @body.json", "-d @body.json is not taken over: the service does not read that file."],
  ["--json @b.json", "--json @b.json is not taken over: the service does not read that file."],
  ["-b jar.txt", "-b jar.txt is not taken over: the service does not read that file. Instead, add"],
  ["--retry 99", "--retry 99 is not taken over: type 0 to 10 retries."],
  ["--http3", "--http3 is not taken over: a check has no such setting."],
  ["-sk6", "-k is not taken over: certificates are always verified."],
])("%s is named with what to do, and the address is still found", (options, words) => {
  const request = curlRequest(`curl ${options} https://shop.example/a`);
  expect(request?.url).toBe("https://shop.example/a");
  expect(request?.leftOut[0]).toContain(words);
});

test("nothing is said of certificates for an address that has none, unless it may lead to one that has", () => {
  const leftOutOf = (command: string) => curlRequest(command)?.leftOut.length;
  for (const option of ["-k", "--cacert ca.pem", "--cert a.pem"])
    for (const address of ["http://shop.example/a", "shop.example/a"]) {
      expect(leftOutOf(`curl ${option} ${address}`)).toBe(0);
      expect(leftOutOf(`curl -L ${option} ${address}`)).toBe(1);
    }
  expect(leftOutOf("curl -k -F a=1 http://shop.example/a")).toBe(1);
});

test("a second address is named: the first one is checked", () => {
  const request = curlRequest("curl https://shop.example/a https://shop.example/b");
  expect(request).toMatchObject({
    url: "https://shop.example/a",
    leftOut: ["https://shop.example/b is not taken over: a monitor checks one address."],
  });
});

test("a header that is typed counts instead of the option for it, whichever comes first, as curl sends it", () => {
  const token = { key: "authorization", value: "Bearer t" };
  for (const command of [
    `curl -u ann:x -H 'authorization: Bearer t' https://a.example`,
    `curl -H 'authorization: Bearer t' -u ann:x https://a.example`,
  ])
    expect(curlRequest(command)?.headers).toEqual([token]);
  const two = `curl -A one -H 'X-A: 1' -H 'X-A: 2' https://a.example`;
  expect(curlRequest(two)?.headers.map(({ key }) => key)).toEqual(["User-Agent", "X-A", "X-A"]);
});

test.each([
  ["-A one -A two", [{ key: "User-Agent", value: "two" }]],
  ["-b a=1 -b b=2", [{ key: "Cookie", value: "a=1; b=2" }]],
  ["-u ann:x --oauth2-bearer t", [{ key: "Authorization", value: "Bearer t" }]],
  [
    `--json {} --json {}`,
    [
      { key: "Content-Type", value: "application/json" },
      { key: "Accept", value: "application/json" },
    ],
  ],
])("an option that is there twice, %s, gives its header once", (options, headers) => {
  expect(curlRequest(`curl ${options} https://a.example`)?.headers).toEqual(headers);
});
