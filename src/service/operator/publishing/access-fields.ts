import * as limits from "#limits/status-limits";
import { violation } from "#service/edge/call-refusal";
import { dropMark } from "#service/operator/forms/form-rows";
import { passwordIn, typedSettings } from "#service/operator/publishing/status-page-fields";
import { type PageAccess, pageAccesses } from "#service/status-page/page-definition";
import type { StatusPageRow } from "#service/store/page-store";

/** The field that each kind of access has; the page shows that of the chosen one alone. */
const fieldOf: { readonly [A in PageAccess]: string } = {
  public: "allow_index",
  password: "password",
  "email-domain": "auth_email_domains",
  "ip-restriction": "allowed_ip_ranges",
};

/** The form with the field of the chosen access as it was typed, and those of the others as they are saved: no one sees them. */
export function chosenAccess(typed: URLSearchParams, row: StatusPageRow): URLSearchParams {
  const chosen = pageAccesses.find((one) => one === typed.get("access_type"));
  const own = new URLSearchParams(typed);
  if (chosen === undefined) return own;
  const saved = typedSettings(row);
  for (const access of pageAccesses) {
    if (access === chosen) continue;
    const field = fieldOf[access];
    own.delete(field);
    own.delete(dropMark(field));
    // Without one, the password stays.
    if (field !== "password") for (const value of saved.getAll(field)) own.append(field, value);
  }
  return own;
}

/** The password that the form sets; null leaves what is there. One that can be found by trying is refused. */
export function goodPasswordIn(typed: URLSearchParams): string | null {
  const password = passwordIn(typed);
  if (password !== null && password !== "" && password.length < limits.pagePasswordCharsAdvised)
    throw violation({
      field: "password",
      message: `needs ${limits.pagePasswordCharsAdvised} characters or more: strangers can find a shorter one by trying`,
    });
  return password;
}
