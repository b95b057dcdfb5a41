/** What a person wrote, read into its parts; the message says what is wrong with it. */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export const parsed = <T>(value: T): ParseResult<T> => ({ ok: true, value });
export const refused = (message: string): { ok: false; message: string } => ({
  ok: false,
  message,
});
