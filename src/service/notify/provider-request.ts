/** One request to a provider. The URL and the headers hold secrets: neither is ever shown. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty has none. */
  readonly body: string;
  /** Whether what follows is sent even when this one is refused for good, e.g. an edit of a message that is gone. */
  readonly mayFail: boolean;
}

/** What came back, read up to a limit. */
export interface HttpReply {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A POST of JSON. */
export const postJson = (
  url: string,
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest => ({
  method: "POST",
  url,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(content),
  mayFail: false,
});

/** A POST of a form. */
export const postForm = (
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): HttpRequest => ({
  method: "POST",
  url,
  headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  body: new URLSearchParams(fields).toString(),
  mayFail: false,
});

/** A URL with one more pair in its query; what it has stays. */
export function withQuery(url: string, name: string, value: string): string {
  const whole = new URL(url);
  whole.searchParams.set(name, value);
  return whole.href;
}

/** What a reply says as JSON at a path of names, e.g. `error.code`; null if it says nothing there. */
export function replyValue(reply: HttpReply, ...path: readonly string[]): unknown {
  try {
    return path.reduce<unknown>(at, JSON.parse(reply.body));
  } catch {
    return null;
  }
}

/** A text or a number that a reply says, as text. */
export function replyText(reply: HttpReply, ...path: readonly string[]): string | null {
  const value = replyValue(reply, ...path);
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

export function replyNumber(reply: HttpReply, ...path: readonly string[]): number | null {
  const value = replyValue(reply, ...path);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

const at = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? (Object.entries(value).find(([key]) => key === name)?.[1] ?? null)
    : null;
