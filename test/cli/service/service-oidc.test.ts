import { inspect } from "node:util";
import { expect, test } from "vitest";
import { readOidcSettings } from "#cli/service/service-oidc";
import { peopleRulesMax } from "#limits/pages-limits";

const publicUrl = "https://picket.example.com/";
const given = {
  PICKET_SERVICE_OIDC_ISSUER: "https://id.example.com/realms/staff",
  PICKET_SERVICE_OIDC_CLIENT_ID: "picket",
  PICKET_SERVICE_OIDC_CLIENT_SECRET: "planted",
  PICKET_SERVICE_OIDC_READ: "@Example.com",
  PICKET_SERVICE_OIDC_RESPOND: "group:night-shift",
  PICKET_SERVICE_OIDC_WRITE: "group:On Call, ann@example.org",
  PICKET_SERVICE_OIDC_OWN: "group:sre",
};

test("without a setting there is no identity provider, and nothing is missing", () => {
  expect(readOidcSettings({}, null)).toEqual({ oidc: null, errors: [] });
});

test("the provider, who may sign in, and where people come back to; the secret shows itself nowhere", () => {
  const { oidc, errors } = readOidcSettings(given, publicUrl);
  expect(errors).toEqual([]);
  expect({ ...oidc }).toEqual({
    issuer: "https://id.example.com/realms/staff",
    clientId: "picket",
    clientSecret: "planted",
    scopes: "openid email profile",
    groupsClaim: "groups",
    rules: {
      reader: ["@example.com"],
      responder: ["group:night-shift"],
      editor: ["group:On Call", "ann@example.org"],
      owner: ["group:sre"],
    },
    callbackUrl: "https://picket.example.com/sign-in/callback",
  });
  expect(inspect(oidc) + JSON.stringify(oidc)).not.toContain("planted");
});

test("a public client has no secret", () => {
  const { oidc } = readOidcSettings({ ...given, PICKET_SERVICE_OIDC_CLIENT_SECRET: "" }, publicUrl);
  expect(oidc?.clientSecret).toBeNull();
});

test.each([
  [
    "half of it",
    { PICKET_SERVICE_OIDC_ISSUER: "https://id.test" },
    /needs PICKET_SERVICE_OIDC_CLIENT_ID too/,
  ],
  [
    "an issuer by plain http",
    { ...given, PICKET_SERVICE_OIDC_ISSUER: "http://id.test" },
    /OIDC_ISSUER must be an https URL/,
  ],
  [
    "an issuer with a query",
    { ...given, PICKET_SERVICE_OIDC_ISSUER: "https://id.test/?a" },
    /OIDC_ISSUER must be an https URL/,
  ],
  [
    "no one who may sign in",
    {
      ...given,
      PICKET_SERVICE_OIDC_READ: "",
      PICKET_SERVICE_OIDC_RESPOND: "",
      PICKET_SERVICE_OIDC_WRITE: "",
      PICKET_SERVICE_OIDC_OWN: "",
    },
    /who may sign in/,
  ],
  [
    "a domain without its sign",
    { ...given, PICKET_SERVICE_OIDC_READ: "example.com" },
    /OIDC_READ must be e-mail domains/,
  ],
  [
    "too many entries",
    { ...given, PICKET_SERVICE_OIDC_READ: "a@b.test,".repeat(peopleRulesMax) },
    /use a group/,
  ],
  [
    "two secrets",
    { ...given, PICKET_SERVICE_OIDC_CLIENT_SECRET_FILE: "/nowhere" },
    /cannot be used together/,
  ],
])("is refused with its variable: %s", (_what, env, says) => {
  const { oidc, errors } = readOidcSettings(env, publicUrl);
  expect(oidc).toBeNull();
  expect(errors).toEqual([expect.stringMatching(says)]);
  expect(errors.join()).not.toContain("planted");
});

test("an identity provider needs the address by which people reach the service", () => {
  expect(readOidcSettings(given, null).errors).toEqual([
    expect.stringContaining("needs PICKET_SERVICE_PUBLIC_URL too"),
  ]);
});
