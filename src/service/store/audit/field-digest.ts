import { createHmac, randomBytes } from "node:crypto";
import { auditValueCharsMax } from "#limits/store-limits";
import type { FieldState } from "#service/store/audit/field-change";
import { type Sql, text } from "#service/store/sql";

/** Digests of what the log may not show, by the salt of this database: equal texts have equal digests. */
export class FieldDigest {
  readonly #salt: string;
  /** Of one verb's texts: a thousand monitors often have the same headers. */
  readonly #known = new Map<string, string>();

  private constructor(salt: string) {
    this.#salt = salt;
  }

  /** The log has one head, which is made with the first entry. */
  static async of(sql: Sql): Promise<FieldDigest> {
    const select = "SELECT salt FROM audit_head WHERE one = 1";
    const [head] = await sql.all(select);
    if (head !== undefined) return new FieldDigest(text(head, "salt"));
    await sql.run(
      "INSERT INTO audit_head (one, number, hash, salt) VALUES (1, 0, '', ?) ON CONFLICT DO NOTHING",
      [randomBytes(32).toString("base64url")],
    );
    return new FieldDigest(text((await sql.all(select))[0], "salt"));
  }

  of(secret: string): string {
    return this.#known.getOrInsertComputed(secret, () =>
      createHmac("sha256", this.#salt).update(secret).digest("base64url").slice(0, digestChars),
    );
  }

  secret(value: string): FieldState {
    return { is: "secret", value: value === "" ? "" : this.of(value) };
  }

  /** A text that is too long for the log is cut, and its digest shows whether the rest is the same. */
  text(value: string): FieldState {
    if (value.length <= auditValueCharsMax) return { is: "text", value };
    const rest = `… (${value.length} characters, digest ${this.of(value)})`;
    return { is: "text", value: `${value.slice(0, auditValueCharsMax)}${rest}` };
  }

  /** A value as JSON writes it; what says nothing is empty. */
  json(value: unknown): FieldState {
    if (value === null || value === undefined || value === "") return nothing;
    if (typeof value === "string") return this.text(value);
    if (typeof value === "boolean" || typeof value === "number")
      return { is: "text", value: String(value) };
    if (Array.isArray(value) && value.length === 0) return nothing;
    return this.written(JSON.stringify(value));
  }

  /** The same of what is JSON already. */
  written(json: string): FieldState {
    return this.text(
      json === "[]" || json === "{}" || json === "null" || json === '""' ? "" : json,
    );
  }
}

const nothing: FieldState = { is: "text", value: "" };

/** 96 bits: no two secrets of a service have the same by chance. */
const digestChars = 16;
