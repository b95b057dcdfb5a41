import type {
  BarKind,
  PageAccess,
  PageTheme,
  ThemeKey,
  UptimeMetric,
} from "#service/status-page/page-definition";

/* What people read of the settings of a status page that are one of some words. */

export const accessWords: { readonly [A in PageAccess]: string } = {
  public: "everyone",
  password: "whoever has the password",
  "email-domain": "addresses of e-mail domains",
  "ip-restriction": "networks",
};
export const accessSentences: { readonly [A in PageAccess]: string } = {
  public: "Anyone who has the address.",
  password: "Readers enter it once, and stay for 30 days.",
  "email-domain": "Readers get a link by mail, and stay for 7 days.",
  "ip-restriction": "Only from addresses that you list.",
};
export const schemeWords: { readonly [T in PageTheme]: string } = {
  system: "as the reader's system",
  light: "light",
  dark: "dark",
};
export const themeWords: { readonly [K in ThemeKey]: string } = {
  default: "default",
  "default-rounded": "default, rounded",
  contrast: "high contrast",
  ocean: "ocean (blue)",
  forest: "forest (green)",
  sand: "sand (brown)",
};
export const metricWords: { readonly [M in UptimeMetric]: string } = {
  duration: "by time that was not down",
  requests: "by checks that were good",
  manual: "by reports alone",
};
export const barWords: { readonly [B in BarKind]: string } = {
  absolute: "what was measured and reported",
  manual: "what was reported alone",
};
