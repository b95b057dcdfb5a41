import type { Environment } from "#config/environment";
import { ServiceValues } from "#service/settings/service-values";
import { unshown } from "#config/secret";
import { listOf } from "#config/setting-kinds";
import * as limits from "#limits/pages-limits";
import type { OidcSettings } from "#service/oidc/oidc-provider";
import { ruleOf } from "#service/oidc/people-rules";
import { callbackUrlAt } from "#service/operator/sign-in-answers";

interface OidcReading {
  /** Null if people sign in with keys and the password alone. */
  readonly oidc: OidcSettings | null;
  /** Each names its variable, and quotes no secret. */
  readonly errors: readonly string[];
}

/** The identity provider of the pages, as the environment has it. */
export function readOidcSettings(env: Environment, publicUrl: string | null): OidcReading {
  const values = new ServiceValues(env);
  const given = values.together(
    {
      PICKET_SERVICE_OIDC_ISSUER: values.text("PICKET_SERVICE_OIDC_ISSUER"),
      PICKET_SERVICE_OIDC_CLIENT_ID: values.text("PICKET_SERVICE_OIDC_CLIENT_ID"),
    },
    "the identity provider",
  );
  const clientSecret = values.secret("PICKET_SERVICE_OIDC_CLIENT_SECRET");
  const rules = {
    reader: listOf(values.text("PICKET_SERVICE_OIDC_READ")).map(ruleOf),
    responder: listOf(values.text("PICKET_SERVICE_OIDC_RESPOND")).map(ruleOf),
    editor: listOf(values.text("PICKET_SERVICE_OIDC_WRITE")).map(ruleOf),
    owner: listOf(values.text("PICKET_SERVICE_OIDC_OWN")).map(ruleOf),
  };
  const errors = given === null ? values.errors : [...values.errors, ...lacks(rules, publicUrl)];
  if (given === null || publicUrl === null || errors.length > 0) return { oidc: null, errors };
  const oidc = unshown({
    issuer: given.PICKET_SERVICE_OIDC_ISSUER,
    clientId: given.PICKET_SERVICE_OIDC_CLIENT_ID,
    clientSecret: clientSecret === "" ? null : clientSecret,
    scopes: values.text("PICKET_SERVICE_OIDC_SCOPES"),
    groupsClaim: values.text("PICKET_SERVICE_OIDC_GROUPS_CLAIM"),
    rules,
    callbackUrl: callbackUrlAt(publicUrl),
  });
  return { oidc, errors };
}

function lacks(all: OidcSettings["rules"], publicUrl: string | null): readonly string[] {
  const rules = Object.values(all).flat().length;
  return [
    ...(publicUrl === null
      ? [
          "the identity provider needs PICKET_SERVICE_PUBLIC_URL too, to send people back to the service",
        ]
      : []),
    ...(rules === 0
      ? [
          "the identity provider needs PICKET_SERVICE_OIDC_READ, _RESPOND, _WRITE or _OWN: who may sign in, e.g. @example.com",
        ]
      : []),
    ...(rules > limits.peopleRulesMax
      ? [
          `PICKET_SERVICE_OIDC_READ, _RESPOND, _WRITE and _OWN may have ${limits.peopleRulesMax} entries together: use a group`,
        ]
      : []),
  ];
}
