import { deflateRawSync, inflateRawSync } from "node:zlib";
import { shownFormCharsMax } from "#limits/change-limits";
import { formBytesMax } from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";
import type { PageAnswer } from "#service/edge/page-answer";
import { editingForms, filledIn } from "#service/operator/changes/filled-form";

/*
 * Next to its version, a form that edits an object has what it showed when it was opened, packed: a field that still has
 * that was not changed by whoever sends it. Nothing else knows this, because people leave forms open for hours.
 */

/** A page whose forms that edit something have what they show in them. The form that was sent keeps what it had. */
export function withShown(
  page: PageAnswer,
  sent: { readonly action: string; readonly form: URLSearchParams } | null = null,
): PageAnswer {
  if (!page.type.startsWith("text/html")) return page;
  let body = "";
  let end = 0;
  for (const { action, text, begins } of editingForms(page.body)) {
    if (text.includes(` name="${shownName}"`)) continue;
    const kept = sent?.action === action ? (sent.form.get(shownName) ?? "") : null;
    const value = kept ?? packedForm(filledIn(text).form);
    body += `${page.body.slice(end, begins)}${value === "" ? "" : shownField(value).text}`;
    end = begins;
  }
  return end === 0 ? page : { ...page, body: `${body}${page.body.slice(end)}` };
}

/** What a form showed when it was opened; null if it does not say, e.g. because it is of an older version. */
export function shownIn(form: URLSearchParams): URLSearchParams | null {
  const packed = form.get(shownName) ?? "";
  if (packed === "" || packed.length > shownFormCharsMax) return null;
  try {
    const whole = inflateRawSync(Buffer.from(packed, "base64url"), {
      maxOutputLength: formBytesMax,
    });
    return new URLSearchParams(whole.toString());
  } catch {
    return null;
  }
}

/** The same form, as if it had been opened when this was shown. */
export function withShownForm(form: URLSearchParams, shown: URLSearchParams): URLSearchParams {
  const copy = new URLSearchParams(form);
  const value = packedForm(shown);
  if (value === "") copy.delete(shownName);
  else copy.set(shownName, value);
  return copy;
}

/** Empty of what is too long to go with a form. */
function packedForm(shown: URLSearchParams): string {
  const fields = new URLSearchParams([...shown].filter(([name]) => !ownNames.has(name)));
  const packed = deflateRawSync(fields.toString()).toString("base64url");
  return packed.length > shownFormCharsMax ? "" : packed;
}

const shownField = (value: string): Html =>
  html`<input type="hidden" name="${shownName}" value="${value}" />`;

const shownName = "shown";
/** What is no field that a person fills in. */
const ownNames: ReadonlySet<string> = new Set(["form", "basis", shownName]);
