import { expect, test } from "vitest";
import { withAnswer } from "#service/notify/receiver-answer";
import { postJson } from "#service/notify/provider-request";
import { startProvider } from "../../servers/providers.ts";
import { channelOf, tried, webhookAt } from "../../support/sending.ts";

const request = postJson(
  "https://hooks.test/services/T0001/B0001/path-secret?key=query-secret",
  { routing_key: "body-secret", text: "down: https://picket.test/acknowledge/1.link-secret" },
  { authorization: "Bearer header-secret" },
);
const said = (body: string, status = 400): string =>
  withAnswer("it is refused (400)", { status, headers: {}, body }, request);

test("a failed message says what the receiver answered, its status and 300 characters at most", () => {
  expect(said('{"error":\n "no  field"}')).toBe(
    'it is refused (400); it answered “{"error": "no field"}”',
  );
  expect(said("")).toBe("it is refused (400)");
  expect(said("", 422)).toBe("it is refused (400); it answered 422");
  expect(said("no", 422)).toBe("it is refused (400); it answered 422 “no”");
  expect(said("<html><style>b {}</style><title>Bad &amp; gone</title><p>nginx")).toBe(
    "it is refused (400); it answered “Bad &amp; gone nginx”",
  );
  expect(said("x".repeat(400))).toBe(`it is refused (400); it answered “${"x".repeat(300)}…”`);
});

test("what a receiver sends back of a request shows no credential and no URL, in any spelling", () => {
  const echoed = [
    request.url,
    JSON.stringify(request.headers),
    request.body,
    encodeURIComponent(request.url),
    Buffer.from("a header-secret").toString("base64"),
  ];
  for (const one of echoed) {
    expect(said(one)).toContain("[removed]");
    expect(said(one)).not.toMatch(/-secret|aGVhZGVyLXNlY3JldA|picket\.test/);
  }
});

test("a topic that is a password, and a key of a path in its plain spelling, are credentials, too", () => {
  const topic = postJson("https://ntfy.test/", { topic: "my-topic-123", message: "down" }, {});
  const path = postJson("https://hooks.test/T0%2BKEYKEYKEY", {}, {});
  const of = (body: string, to: typeof topic): string =>
    withAnswer("refused (429)", { status: 429, headers: {}, body }, to);
  expect(of("limit of my-topic-123", topic)).toBe(
    "refused (429); it answered “limit of [removed]”",
  );
  expect(of("no hook T0+KEYKEYKEY", path)).toBe("refused (429); it answered “no hook [removed]”");
});

test("an answer in which each place may begin a credential is not searched for longer than a bound", () => {
  const long = postJson("https://hooks.test/", {}, { authorization: "a".repeat(4_000) });
  const answer = { status: 400, headers: {}, body: "a".repeat(60_000) };
  expect(withAnswer("refused (400)", answer, long)).toBe("refused (400); it answered “[removed]”");
});

test("the outcome of a message has the receiver's words", async () => {
  await using receiver = await startProvider((_asked, response) => {
    response.writeHead(400, { "content-type": "text/plain" });
    response.end("unknown field alert_id");
  });
  const words = "(400); it answered “unknown field alert_id”";
  expect(await tried(webhookAt(`${receiver.url}/hook`))).toMatchObject({
    trouble: { message: expect.stringContaining(words) },
  });
  const slack = channelOf("slack", { webhookUrl: `${receiver.url}/services/x` });
  expect(await tried(slack)).toMatchObject({
    trouble: { message: expect.stringContaining("unknown field alert_id") },
  });
});
