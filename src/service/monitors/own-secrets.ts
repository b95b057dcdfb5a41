import * as limits from "#limits/answer-limits";
import { secretCharsMin } from "#limits/secrets-limits";
import { credentialsIn, mayBeSecret, secretsOfUrl } from "#check/credential-values";
import { isCredentialHeader } from "#check/credential-header";
import { httpDefaults, type MonitorDefinition } from "#check/definition";
import { SecretEcho } from "#check/secret-echo";
import { holdsReference } from "#check/secret-placeholder";

/**
 * What a monitor sends that a page never shows, in a form that finds it in an answer: values of its headers, user-info and
 * query of its URL, its body and the fields in it that are named like credentials. They are made when they are first needed.
 */
export class OwnSecrets {
  readonly #values: readonly string[];
  #echoes: readonly SecretEcho[] | null = null;

  constructor(definition: MonitorDefinition) {
    this.#values = secretsOf(definition);
  }

  get echoes(): readonly SecretEcho[] {
    this.#echoes ??= this.#values.map((value) => new SecretEcho(value));
    return this.#echoes;
  }

  isIn(text: string): boolean {
    return text !== "" && this.echoes.some((echo) => echo.isIn(text));
  }

  /** The text without them; `isWhole` as `SecretEcho` has it. */
  cut(text: string, isWhole: boolean): string {
    return this.echoes.reduce((rest, echo) => echo.cut(rest, isWhole), text);
  }
}

/** Longest first, so that none leaves the end of another. What names a secret of the location is a name: its agent cuts the value. */
function secretsOf(definition: MonitorDefinition): readonly string[] {
  if (definition.kind !== "http") return [];
  const { url, headers, body } = definition;
  const parts = /[?@]/.test(url) ? URL.parse(url) : null;
  const values = [
    ...headers.filter(({ key }) => mayBeSecret(key)).flatMap(({ value }) => credentialsIn(value)),
    ...(parts === null ? [] : secretsOfUrl(parts)),
    ...(body.length > limits.ownSecretCharsMax ? [] : [body.trim()]),
    ...[...body.matchAll(namedValue)].flatMap(([, name = "", quoted = "", plain = ""]) =>
      isCredentialHeader(name) ? [quoted === "" ? plain : quoted] : [],
    ),
  ];
  return [...new Set(values)]
    .filter((value) => value.length >= secretCharsMin && !holdsReference(value))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, limits.ownSecretsMax);
}

/** `"name": "value"` in JSON, or `name=value` in a form. */
const namedValue = /([\w.-]{1,64})(?:"\s*:\s*"((?:[^"\\]|\\.)+)"|=([^&\s"]+))/g;

/** Of a monitor whose definition is not known. */
export const noSecrets: OwnSecrets = new OwnSecrets(httpDefaults);
