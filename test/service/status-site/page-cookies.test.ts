import { expect, test } from "vitest";
import { requestAs, statusScene } from "./status-scene.ts";

const password = "open sesame";
const host = "s.acme.test";
const tls = { "x-forwarded-proto": "https" };

test("over TLS a reader's cookie counts at each place of a page by the one name that it is given there", async () => {
  await using here = await statusScene();
  const accessType = "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED";
  const page = { title: "Acme", slug: "acme", customDomain: host, accessType, password };
  await here.call("CreateStatusPage", page);
  const entered = await here.post("/status/acme/sign-in", { password }, tls);
  const set = entered.headers.get("set-cookie") ?? "";
  expect(set).toMatch(
    /^__Secure-picket-page-1=[\w.-]+; Path=\/status\/acme; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
  );
  const value = (set.split(";")[0] ?? "").slice("__Secure-".length);
  const below = async (cookie: string) =>
    (await here.get("/status/acme", { ...tls, cookie })).status;
  const atOwnDomain = async (cookie: string) =>
    (await requestAs(`${here.service.url}/`, { headers: { ...tls, host, cookie } })).status;
  const seen = [];
  for (const prefix of ["", "__Secure-", "__Host-"])
    seen.push([prefix, await below(`${prefix}${value}`), await atOwnDomain(`${prefix}${value}`)]);
  expect(seen).toEqual([
    ["", 403, 403],
    ["__Secure-", 200, 403],
    ["__Host-", 403, 200],
  ]);
});
