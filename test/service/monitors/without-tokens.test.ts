import { expect, test } from "vitest";
import { withoutTokens } from "#service/monitors/without-tokens";

test("a text of a server is shown without what is a credential by its form or its name", () => {
  const table: Readonly<Record<string, string>> = {
    "DB_PASSWORD=hunter2 and more": "DB_PASSWORD=[removed] and more",
    "API_KEY: sk_live_abc": "API_KEY: [removed]",
    "Authorization: Bearer abc.def and more": "Authorization: [removed] and more",
    '{"tokens":["abc"],"depth":15}': '{"tokens":["[removed]"],"depth":15}',
    '{"secret":1234567,"a":1}': '{"secret":[removed],"a":1}',
    '{"password":"a b", "c":"d"}': '{"password":"[removed]", "c":"d"}',
    '{"password":"cut o': '{"password":"[removed]"',
    [String.raw`{"m":"{\"token\":\"x y\"}"}`]: String.raw`{"m":"{\"token\":\"[removed]\"}"}`,
    '{"error":"password=abc, user=me"}': '{"error":"password=[removed], user=me"}',
    '{"session":{"token":"abc","at":1}}': '{"session":{"token":"[removed]","at":1}}',
    "&quot;password&quot;: &quot;a b&quot;": "&quot;password&quot;: &quot;[removed]&quot;",
    "'secret' => 'x y', 'b' => 'c'": "'secret' => '[removed]', 'b' => 'c'",
    '<input name="csrf_token" value="abc">': '<input name="csrf_token" value="[removed]">',
    '<meta name="csrf-token" content="abc">': '<meta name="csrf-token" content="[removed]">',
    "Redirecting to https://app.test/reset?token=abc now":
      "Redirecting to https://app.test/reset?[removed] now",
    "to https://app.test/cb#access_token=abc": "to https://app.test/cb#[removed]",
    "see eyJhbGciOi.eyJzdWIi.c2ln": "see [removed]",
    "token=[removed]&a=b": "token=[removed]&a=b",
  };
  for (const [text, shown] of Object.entries(table)) expect(withoutTokens(text)).toBe(shown);
});

test("a text without a credential is shown as it is", () => {
  for (const text of [
    '{"error":"no such queue","depth":15,"author":"me"}',
    "Unexpected token < in JSON at position 0",
    "502 Bad Gateway\nnginx/1.25.3",
    "<h1>It works</h1>",
  ])
    expect(withoutTokens(text)).toBe(text);
});
