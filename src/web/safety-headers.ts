/**
 * What every page is sent with: no script but one of ours, nothing from elsewhere, in no frame, and no memory of it
 * anywhere. The operator's pages alone have scripts that change things; those of a status page show it in time.
 */
export const safetyHeaders = (scripts: "none" | "own"): Readonly<Record<string, string>> => ({
  "content-security-policy":
    `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'` +
    (scripts === "own" ? "; script-src 'self'; connect-src 'self'" : ""),
  "x-content-type-options": "nosniff",
  // With "no-referrer", forms of our own would come with the origin "null", as those of others.
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
});
