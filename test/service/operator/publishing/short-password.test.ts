import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";

const tokenIn = (page: string): string => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";

test("a short password of a status page is saved, with a warning that asks for a longer one", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const form = tokenIn(await (await get("/status-pages/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  const saved = async (password: string): Promise<string> => {
    const sent = { form, access_type: "password", password };
    const answer = await post("/status-pages/1/access", sent);
    expect(answer.status).toBe(303);
    return (await get(answer.headers.get("location") ?? "")).text();
  };
  const short = await saved("abc");
  expect(short).toContain('class="notice warn"');
  expect(short).toContain("the password has fewer than 8 characters");
  for (const good of ["abcdefgh", ""]) expect(await saved(good)).toContain('class="notice good"');
});
