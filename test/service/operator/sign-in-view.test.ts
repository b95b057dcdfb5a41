import { expect, test } from "vitest";
import { signInView } from "#service/operator/sign-in-view";

const mainButtons = (provider: { host: string; url: string } | null, hasPeople: boolean) => {
  const said = { kind: "nothing" } as const;
  const { text } = signInView({
    next: "/",
    provider,
    saying: said,
    hasPeople,
    hasResets: false,
    passkey: null,
  });
  return [...text.matchAll(/<(?:a|button)[^>]*class="[^"]*main"[^>]*>([^<]*)</g)].map(
    ([, words]) => words,
  );
};

test("the one button that stands out is the provider's, or else that of the form", () => {
  const provider = { host: "id.example.com", url: "/sign-in/provider" };
  for (const hasPeople of [true, false]) {
    expect(mainButtons(provider, hasPeople)).toEqual(["Sign in with id.example.com"]);
    expect(mainButtons(null, hasPeople)).toEqual(["Sign in"]);
  }
});

test("the page to sign in folds the help of a person who has no key yet", () => {
  const { text } = signInView({
    next: "/",
    provider: null,
    saying: { kind: "nothing" },
    hasPeople: false,
    hasResets: false,
    passkey: null,
  });
  const [, folded = ""] = /<details class="advice">([^]*?)<\/details>/.exec(text) ?? [];
  expect(folded).toContain("<summary>Where is the key?</summary>");
  expect(folded).toContain("picket service key create");
});
