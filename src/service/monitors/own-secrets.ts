import * as limits from "#limits/answer-limits";
import { secretCharsMin } from "#limits/secrets-limits";
import { credentialsIn, mayBeSecret, secretsOfUrl } from "#check/credential-values";
import { isCredentialHeader } from "#check/credential-header";
import type { MonitorDefinition } from "#check/definition";
import { SearchSteps, SecretEcho } from "#check/secret-echo";
import { holdsReference } from "#check/secret-placeholder";
import { removed } from "#check/shown-header";

/**
 * What a monitor sends that a page never shows, in a form that finds it in an answer: values of its headers, user-info and
 * query of its URL, its body and the fields in it that are named like credentials. They are made when they are first needed.
 */
export class OwnSecrets {
  /** Null if it is not known what the monitor sends: then all may be a secret. */
  readonly #definition: MonitorDefinition | null;
  #values: readonly string[] | null = null;
  #echoes: readonly SecretEcho[] | null = null;

  constructor(definition: MonitorDefinition | null) {
    this.#definition = definition;
  }

  /** Whether a text has one as it was sent. This is quick, and finds no other spelling. */
  isPlainlyIn(text: string): boolean {
    if (this.#definition === null) return text !== "";
    this.#values ??= secretsOf(this.#definition);
    return this.#values.some((value) => text.includes(value));
  }

  /** The text without them, in any spelling; `isWhole` as `SecretEcho` has it. */
  cut(text: string, isWhole: boolean): string {
    if (text === "") return "";
    if (this.#definition === null) return removed;
    this.#values ??= secretsOf(this.#definition);
    this.#echoes ??= this.#values.map((value) => new SecretEcho(value));
    const steps = new SearchSteps(limits.answerSearchSteps);
    return this.#echoes.reduce((rest, echo) => echo.cut(rest, isWhole, steps), text);
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
    ...[...body.slice(0, limits.ownBodyCharsSearched).matchAll(namedValue)].flatMap(
      ([, name = "", quoted = "", plain = ""]) =>
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

/** Of a monitor whose definition cannot be read now: nothing that a server answered is kept. */
export const unknownSecrets: OwnSecrets = new OwnSecrets(null);
