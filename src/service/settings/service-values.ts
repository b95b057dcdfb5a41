import { createPrivateKey } from "node:crypto";
import { readBounded, whyUnusable } from "#machine/bounded-file";
import type { Environment } from "#config/environment";
import { type ServiceSettingName, serviceSettings } from "#config/service-settings";
import { accepts, expectations } from "#config/setting-kinds";
import * as limits from "#limits/agent-limits";

/** The variables of the service as they are set, and what is wrong with them. No error quotes a secret. */
export class ServiceValues {
  readonly #env: Environment;
  readonly errors: string[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Empty if neither the variable nor a default says anything. */
  text(name: ServiceSettingName): string {
    const { kind, fallback } = serviceSettings[name];
    const value = this.#env[name] || (fallback ?? "");
    if (value === "" || accepts[kind](value)) return value;
    this.errors.push(`${name} must be ${expectations[kind]}`);
    return fallback ?? "";
  }

  url(name: ServiceSettingName): string {
    return this.text(name).replace(/\/+$/, "");
  }

  named(name: ServiceSettingName): { readonly name: string; readonly file: string } {
    return { name, file: this.text(name) };
  }

  /** Written in the environment, or in the file that the variable with _FILE names. */
  secret(name: SecretName): string {
    const file = this.text(`${name}_FILE`);
    if (file === "") return this.text(name);
    if (this.text(name) !== "") {
      this.errors.push(`${name} and ${name}_FILE cannot be used together: set one`);
      return "";
    }
    try {
      const value = readBounded(file, limits.tokenFileBytesMax).trim();
      const { kind } = serviceSettings[name];
      if (value !== "" && accepts[kind](value)) return value;
      this.errors.push(`${name}_FILE must name a file that holds ${expectations[kind]}`);
    } catch (error) {
      this.errors.push(`${name}_FILE cannot be read: ${whyUnusable(error)} (${file})`);
    }
    return "";
  }

  /** PEM from a file; empty if it cannot be used. */
  privateKey(name: ServiceSettingName, file: string): string {
    try {
      const pem = readBounded(file, limits.tokenFileBytesMax);
      if (isPrivateKey(pem)) return pem;
      this.errors.push(`${name} must name a file with a private key as PEM, without passphrase`);
    } catch (error) {
      this.errors.push(`${name} cannot be read: ${whyUnusable(error)} (${file})`);
    }
    return "";
  }

  /** Null if none of them is set; what is missing of the others is an error. */
  together<N extends string>(
    given: Readonly<Record<N, string>>,
    what: string,
  ): Readonly<Record<N, string>> | null {
    const entries = Object.entries<string>(given);
    const missing = entries.filter(([, value]) => value === "").map(([name]) => name);
    if (missing.length === 0) return given;
    const unsaid = missing.filter((name) => !this.#isWrong(name));
    if (missing.length < entries.length && unsaid.length > 0)
      this.errors.push(`${what} needs ${unsaid.join(" and ")} too`);
    return null;
  }

  /** Whether an error names the variable, or its file, already. */
  #isWrong(name: string): boolean {
    return this.errors.some((error) => error.startsWith(name));
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === "private";
  } catch {
    return false;
  }
}

type SecretName = Extract<
  ServiceSettingName,
  | "PICKET_SERVICE_HEARTBEAT_URL"
  | "PICKET_SERVICE_OIDC_CLIENT_SECRET"
  | "PICKET_SMTP_URL"
  | "PICKET_TELEGRAM_BOT_TOKEN"
  | "PICKET_TWILIO_AUTH_TOKEN"
  | "PICKET_WHATSAPP_TOKEN"
>;
