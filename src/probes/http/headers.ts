import { shownName } from "#probes/http/double-length";

/** The header fields of a response, in the order they came, names as they came. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** undici gives HTTP/1 headers as a flat list of buffers, HTTP/2 headers as an object. */
export function headerPairs(raw: unknown): HeaderPairs {
  if (Array.isArray(raw)) {
    const pairs: (readonly [string, string])[] = [];
    for (let index = 0; index + 1 < raw.length; index += 2)
      pairs.push([shownName(latin1(raw[index])), latin1(raw[index + 1])]);
    return pairs;
  }
  if (typeof raw !== "object" || raw === null) return [];
  return Object.entries(raw)
    .filter(([name]) => !name.startsWith(":"))
    .flatMap(([name, value]: [string, unknown]) =>
      Array.isArray(value)
        ? value.map((one): [string, string] => [name, latin1(one)])
        : [[name, latin1(value)] as const],
    );
}

const latin1 = (value: unknown): string =>
  Buffer.isBuffer(value) ? value.toString("latin1") : String(value);

/** The first value of a header; null when it is absent. */
export function firstValue(headers: HeaderPairs, name: string): string | null {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
}
