/** What is said to one request for a page. */
export interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Of a picture, which has no text: they are sent in place of it. */
  readonly bytes?: Buffer;
  /** In addition to those of every answer; only cookies are several of one name. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Of a page that is shown as others see it: its times stay as they are written. */
  readonly isAsOthersSee?: true;
}

export const htmlAnswer = (body: string, status = 200): PageAnswer => ({
  status,
  type: "text/html; charset=utf-8",
  body,
  headers: {},
});

export const documentAnswer = (document: object): PageAnswer => ({
  status: 200,
  type: "application/json; charset=utf-8",
  body: `${JSON.stringify(document)}\n`,
  headers: {},
});

/** Plain text of one line. */
export const lineAnswer = (
  status: number,
  text: string,
  headers: PageAnswer["headers"] = {},
): PageAnswer => ({ status, type: "text/plain; charset=utf-8", body: `${text}\n`, headers });

/** To be read with GET there: a page that is read again sends nothing twice. */
export const seeOther = (location: string, headers: PageAnswer["headers"] = {}): PageAnswer =>
  lineAnswer(303, `See ${location}`, { ...headers, location });
