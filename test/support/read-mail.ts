/** A mail as its reader's program shows it. */
export interface ReadMail {
  /** By names in lower case, unfolded and decoded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
  /** Every address in its text. */
  readonly links: readonly string[];
}

/** Reads what nodemailer writes: a header, and two parts in quoted-printable or base64 (RFC 2045, RFC 2047). */
export function readMail(raw: string): ReadMail {
  const { headers, body } = partIn(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "")?.[1] ?? "";
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partIn(part.replace(/^\r\n/, "")));
  const ofType = (type: string): string => {
    const part = parts.find((one) => one.headers.get("content-type")?.startsWith(type));
    return part === undefined ? "" : decoded(part);
  };
  const text = ofType("text/plain");
  return { headers, text, html: ofType("text/html"), links: text.match(/https?:\/\/\S+/g) ?? [] };
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function partIn(raw: string): Part {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), words(line.slice(at + 1).trim())];
  });
  return { headers: new Map(headers), body: raw.slice(end + 4) };
}

const words = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString("latin1")
        : quoted(word.replaceAll("_", " ")),
    )
    .replace(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, "latin1").toString());

function decoded({ headers, body }: Part): string {
  switch (headers.get("content-transfer-encoding")) {
    case "base64":
      return Buffer.from(body, "base64").toString();
    case "quoted-printable":
      return Buffer.from(quoted(body.replace(/=\r\n/g, "")), "latin1").toString();
    default:
      return body;
  }
}

const quoted = (text: string): string =>
  text.replace(/=([\dA-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
