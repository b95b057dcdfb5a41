import { randomBytes } from "node:crypto";

/** A secret of the location, of which no one else may ever see any spelling. */
export interface PlantedSecret {
  readonly name: string;
  readonly value: string;
}

/** Characters that URLs, JSON, HTML and headers write in another way. */
const awkward = ["", "/", "?x=1", "&", "+", " ", '"', "<", "%41", "é"];

export const plantedSecrets = (count: number): readonly PlantedSecret[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `s${index}`,
    value: `${randomBytes(9).toString("hex")}${awkward[index % awkward.length]}${randomBytes(6).toString("hex")}`,
  }));

/** As a peer, a log or a database may write it; in small letters, since both cases are looked for. */
function spellings({ value }: PlantedSecret): readonly string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  return [
    value,
    bytes.toString("latin1"),
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    bytes.toString("hex"),
    Array.from(value).toReversed().join(""),
    // What comes before and after the awkward character is enough to know it by.
    value.slice(0, 18),
    value.slice(-12),
    ...base64,
  ].map((one) => one.toLowerCase());
}

/** The names of the secrets of which some spelling is in a text or in bytes. */
export function foundIn(
  where: string | Uint8Array,
  secrets: readonly PlantedSecret[],
): readonly string[] {
  const bytes = typeof where === "string" ? Buffer.from(where) : Buffer.from(where);
  const texts = [bytes.toString("latin1"), bytes.toString("utf8")].map((one) => one.toLowerCase());
  return secrets
    .filter((secret) => spellings(secret).some((one) => texts.some((text) => text.includes(one))))
    .map(({ name }) => name);
}
