import { searchedAs } from "#base/searched-as";
import { hasWords } from "#base/text";
import type { NamedAct } from "#service/operator/monitors/named-acts";
import type { KnownReader } from "#service/operator/page-request";

/** What can be done on every page: how pages look in this browser, and signing out. */
export function actsEverywhere(text: string, reader: KnownReader): readonly NamedAct[] {
  const typed = searchedAs(text).split(/\s+/);
  return (reader.kind === "signed in" ? [...themeActs, signOut] : themeActs).filter(({ words }) =>
    hasWords(searchedAs(words), typed),
  );
}

/** An empty `back` is the page where it was chosen. */
const themed = (words: string, theme: string): NamedAct => ({
  words,
  path: "/settings/profile",
  isSent: true,
  fields: { theme, back: "" },
});

const themeActs: readonly NamedAct[] = [
  themed("Dark theme", "dark"),
  themed("Light theme", "light"),
  themed("Theme of this device", ""),
];

const signOut: NamedAct = { words: "Sign out", path: "/sign-out", isSent: true };
