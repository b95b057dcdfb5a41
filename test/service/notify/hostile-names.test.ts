import { expect, test } from "vitest";
import { type Provider, providers } from "#service/notify/channel";
import type { Notice } from "#service/notify/event";
import { notices, rendered, shop } from "../../support/notices.ts";

/** Everything of a person's in an alert is this text. */
const named = (name: string): Notice => {
  const alert = notices["monitor.error"];
  const { result } = alert;
  const failure = { code: "agent_error", phase: "agent", message: name } as const;
  return {
    ...alert,
    monitor: { ...shop, name, description: name, labels: { [name]: name }, target: name },
    locations: [{ id: "1", name, status: "error" }],
    result: result && { ...result, failure },
    cause: {
      key: "k",
      location: { id: "1", name },
      failure,
      failing: 3,
      of: 4,
    },
  };
};

/** What goes over the wire, without JSON's and a form's own escapes. */
function sent(provider: Provider, notice: Notice): string {
  const made = rendered(provider, notice);
  switch (made.is) {
    case "nothing":
      return "";
    case "mail":
      return made.mail.html;
    case "requests":
      return made.requests
        .map(({ body }) => (body.startsWith("{") ? body : decodeURIComponent(body)))
        .join("\n");
  }
}

const hostile = {
  "calls everyone": "@everyone <!channel> <!here> <users/all> <@U123>",
  "is markup": `<script>alert(1)</script><b>"'&</b> </td> <a href="x">`,
  "is a link": "[shop](https://evil.test) <https://evil.test|shop>",
  "breaks lines": "shop\r\nUp again: mail\u2028x\u0000",
  "turns the direction": "shop \u202etxt.exe\u202c \u2066x\u2069",
  "is half a character": "shop \ud800",
};

const texts = Object.entries(hostile).flatMap(([what, name]) =>
  providers.map((provider) => [provider, what, name] as const),
);

const readsMarks: ReadonlySet<Provider> = new Set([
  "discord",
  "slack",
  "google_chat",
  "ms_teams",
  "telegram",
  "email",
]);

test.each(texts)("%s: a name that %s is harmless", (provider, _what, name) => {
  const out = sent(provider, named(name));
  // A webhook's body is for programs, which get the name as it is.
  if (provider === "webhook") return expect(JSON.parse(out)).toHaveProperty("type");
  expect(out).not.toMatch(
    /[\u202a-\u202e\u2066-\u2069\u2028]|\\u202[a-e8]|\\u206[6-9]|\\u0000|\\ud800/i,
  );
  // The others show a text as it is.
  if (readsMarks.has(provider))
    expect(out).not.toMatch(/(?<!\\)<(!channel|!here|users\/all|@U123|script)>/);
  if (provider === "discord") expect(out).toContain('"allowed_mentions":{"parse":[]}');
});

test.each(providers)(
  "%s: 10,000 characters in each field leave state, name and link",
  (provider) => {
    const out = sent(provider, named("shop ".repeat(2_000)));
    const phone = provider === "sms" || provider === "whatsapp";
    expect(out.length).toBeLessThanOrEqual(maxima[provider]);
    expect(out).toMatch(/Down.{0,16}shop/);
    expect(out).toContain(phone ? "picket.test" : "https://picket.test/");
  },
);

/** What the makers of the providers say, or less; a webhook's figure is ours. */
const maxima: { readonly [P in Provider]: number } = {
  discord: 10_000,
  email: 100_000,
  google_chat: 32_000,
  grafana_oncall: 100_000,
  ntfy: 6_000,
  pagerduty: 512_000,
  opsgenie: 20_000,
  slack: 12_000,
  sms: 1_600,
  telegram: 6_000,
  webhook: 40_000,
  whatsapp: 6_000,
  ms_teams: 28_000,
};
