import { describe, expect, test } from "vitest";
import { pageIconBytesMax } from "#limits/status-limits";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";
import { pngOf } from "../../../support/png-picture.ts";

const tokenIn = (page: string): string => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
const iconIn = (page: string): string => /<link rel="icon" href="([^"]+)"/.exec(page)?.[1] ?? "";

/** A published page, and what sends the form of its look as a browser does. */
async function iconScene(): Promise<
  OperatorScene & { readonly sendIcon: (file: Blob | null, fields?: object) => Promise<Response> }
> {
  const scene = await operatorScene({ days: 0 });
  const { get, post, service } = scene;
  const form = tokenIn(await (await get("/status-pages/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  await post("/status-pages/1/publish", { form });
  const sendIcon = async (file: Blob | null, fields: object = {}): Promise<Response> => {
    const body = new FormData();
    const look = sentForm(await (await get("/status-pages/1/look")).text(), "/status-pages/1/look");
    for (const [name, value] of look) if (name !== "icon_file") body.append(name, value);
    if (file !== null) body.append("icon_file", file, "page.html");
    for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
    return fetch(`${service.url}/status-pages/1/look`, {
      method: "POST",
      body,
      headers: { accept: "text/html" },
      redirect: "manual",
    });
  };
  return { ...scene, sendIcon };
}

const png = (side: number): Blob => new Blob([pngOf(side, side)]);
const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>']);
const bytesOf = async (answer: Response): Promise<Buffer> =>
  Buffer.from(await answer.arrayBuffer());

test("a file becomes the icon of a page, is served by the hash of its bytes, and is taken away", async () => {
  const { get, sendIcon } = await iconScene();
  expect((await sendIcon(png(64))).headers.get("location")).toBe(
    "/status-pages/1/look?notice=saved",
  );
  const page = await (await get("/status/acme")).text();
  const address = iconIn(page);
  expect(address).toMatch(/^\/status\/acme\/icon\/[0-9a-f]{32}\.png$/);
  expect(page).toContain(`<img src="${address}"`);
  const answer = await get(address);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    "x-content-type-options": "nosniff",
  });
  expect(await bytesOf(answer)).toEqual(pngOf(64, 64));
  const again = await get(address, { "if-none-match": answer.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
  expect(await (await get("/status-pages/1/look")).text()).toContain(
    `/status-pages/1/preview/icon/${address.split("/").at(-1)}`,
  );
  // Another one takes its place; what was said of the page stays.
  await sendIcon(svg);
  const next = iconIn(await (await get("/status/acme")).text());
  expect([next.endsWith(".svg"), (await get(next)).headers.get("content-type")]).toEqual([
    true,
    "image/svg+xml",
  ]);
  expect((await get(address)).status).toBe(404);
  await sendIcon(null, { remove_icon: "yes" });
  expect(iconIn(await (await get("/status/acme")).text())).toBe("/status/acme/icon.svg");
  expect((await get(next)).status).toBe(404);
});

test("other forms keep the icon, undoing the deletion of a page brings it back, and the audit log has no bytes", async () => {
  const { get, post, sendIcon } = await iconScene();
  await sendIcon(png(48));
  const address = iconIn(await (await get("/status/acme")).text());
  const form = tokenIn(await (await get("/status-pages/new")).text());
  const settings = {
    form,
    title: "Acme Inc",
    slug: "acme",
    default_locale: "en",
    time_zone: "UTC",
  };
  expect((await post("/status-pages/1", settings)).status).toBe(303);
  expect(iconIn(await (await get("/status/acme")).text())).toBe(address);
  await post("/status-pages/1/delete", { form });
  expect((await get(address)).status).toBe(404);
  await post("/undo", { form, kind: "page", ids: "1" });
  expect(await bytesOf(await get(address))).toEqual(pngOf(48, 48));
  const log = await (await get("/changes/after/0.jsonl")).text();
  expect(log).toMatch(/"field":"icon"|"icon"/);
  expect(log).not.toContain(pngOf(48, 48).toString("base64").slice(0, 40));
});

describe("what cannot be an icon is refused at its field, and keeps the URL that was typed", () => {
  const typed = { icon: "https://acme.example/typed.png" };
  test.each([
    ["an empty file", new Blob([]), "is empty"],
    ["no picture", new Blob(["<html>"]), "must be a PNG, JPEG, WebP, ICO or SVG picture"],
    ["a picture with a page behind it", new Blob([pngOf(9, 9), "<html>"]), "begins as a PNG"],
    [
      "a large photo",
      new Blob([new Uint8Array(20 * pageIconBytesMax)]),
      "must have at most 256\u00a0KiB: save the picture smaller",
    ],
  ])("%s", async (_what, file, message) => {
    const { sendIcon, get } = await iconScene();
    const answer = await sendIcon(file, typed);
    const text = await answer.text();
    expect(answer.status).toBe(422);
    expect(text.replaceAll(/<[^>]*>/g, " ").replaceAll(/[ \n]+/g, " ")).toMatch(
      new RegExp(`Nothing was saved. .*Picture ${message}`),
    );
    expect(text).toContain(`value="${typed.icon}"`);
    expect(iconIn(await (await get("/status/acme")).text())).toBe("/status/acme/icon.svg");
  });
});

test("a page that is not published or not public keeps its icon as it keeps its style: it is no more than the sign-in page shows", async () => {
  const { get, post, sendIcon } = await iconScene();
  await sendIcon(png(32));
  const address = iconIn(await (await get("/status/acme")).text());
  const form = tokenIn(await (await get("/status-pages/new")).text());
  const access = { form, access_type: "password", password: "a long password" };
  await post("/status-pages/1/access", access);
  const closed = await get("/status/acme");
  expect([closed.status, iconIn(await closed.text())]).toEqual([403, address]);
  expect((await get(address)).headers.get("cache-control")).toMatch(/^private, /);
  await post("/status-pages/1/withdraw", { form });
  expect((await get(address)).status).toBe(404);
});

interface Answer {
  readonly statusPage?: { readonly icon: string };
}

test("calls have the URL of a file, and what gives it back keeps the file", async () => {
  const { service, sendIcon, get } = await iconScene();
  await sendIcon(png(32));
  const address = iconIn(await (await get("/status/acme")).text());
  const { key } = await service.admin.createApiKey({ name: "pages", scope: "write" });
  const call = async (name: string, message: object) => {
    const answer = await fetch(
      `${service.url}/rpc/openstatus.status_page.v1.StatusPageService/${name}`,
      {
        method: "POST",
        headers: { "content-type": "application/json", "x-service-key": key },
        body: JSON.stringify(message),
      },
    );
    const said: Answer = JSON.parse(await answer.text());
    return said;
  };
  const { icon = "" } = (await call("GetStatusPage", { id: "1" })).statusPage ?? {};
  expect(icon).toContain(address);
  expect(await call("UpdateStatusPage", { id: "1", icon })).toMatchObject({
    statusPage: { icon },
  });
  expect((await get(address)).status).toBe(200);
  expect(
    await call("UpdateStatusPage", {
      id: "1",
      icon: address.replace(/[0-9a-f]{32}/, "0".repeat(32)),
    }),
  ).toMatchObject({ code: "invalid_argument", message: expect.stringContaining("does not have") });
});
