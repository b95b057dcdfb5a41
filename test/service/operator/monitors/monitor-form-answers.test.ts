import { expect, test } from "vitest";
import { editMark, findButton, useButton } from "#service/operator/forms/form-turns";
import { rowButton } from "#service/operator/forms/form-rows";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

test.each([
  [editMark, "yes"],
  [rowButton, "add headers"],
  [findButton, "depends_on"],
  [useButton, "timeout 5s"],
  ["fill", "yes"],
])(
  "%s=%s shows the form of a new monitor again and makes none, whatever its target is",
  async (name, value) => {
    const { get, post } = await operatorScene({ days: 0 });
    const count = async (): Promise<number> =>
      JSON.parse(await (await get("/overview.json")).text()).monitors.length;
    const before = await count();
    for (const target of ["https://shop.test/", "shop.test", "shop.test:443", "curl shop.test"]) {
      const sent = sentForm(await (await get("/monitors/new")).text(), "/monitors/new");
      sent.set("url", target);
      sent.set(name, value);
      const answer = await post("/monitors/new", sent);
      expect([target, answer.status]).toEqual([target, 200]);
      expect(await answer.text()).toContain('action="/monitors/new"');
    }
    expect(await count()).toBe(before);
  },
);

test("a pasted question for addresses is tried and saved without a rule", async () => {
  const { get, post } = await operatorScene();
  const path = "/monitors/new?kind=dns";
  const typed = sentForm(await (await get(path)).text(), "/monitors/new");
  typed.set("uri", "dig @127.0.0.1 -p 25104 shop.test A");
  const button = (name: string): URLSearchParams => {
    const sent = new URLSearchParams(typed);
    if (name !== "") sent.set(name, "yes");
    return sent;
  };
  const filled = await (await post("/monitors/new", button("fill"))).text();
  expect(filled).toContain(
    "Only A is asked for. Press Enter in the field, or Create monitor, to create it.",
  );
  expect(filled).toContain('value="dns:shop.test?type=A&amp;server=127.0.0.1:25104"');
  const attempt = await post("/monitors/new", button("try"));
  expect([attempt.status, await attempt.text()]).toEqual([
    200,
    expect.not.stringContaining("nter a value"),
  ]);
  expect((await post("/monitors/new", button(""))).status).toBe(303);
});

test("a pasted question for another type keeps all that it says, and names the value that is missing", async () => {
  const { get, post } = await operatorScene();
  for (const kind of ["dns", "http"]) {
    const page = await (await get(`/monitors/new?kind=${kind}`)).text();
    const typed = sentForm(page, "/monitors/new");
    typed.set(kind === "dns" ? "uri" : "url", "dig @10.0.0.53 shop.test MX");
    const filling = new URLSearchParams(typed);
    filling.set("fill", "yes");
    const filled = await (await post("/monitors/new", filling)).text();
    expect(filled).toContain("Under Assertions, type what the MX record has to be.");
    const trying = new URLSearchParams(typed);
    trying.set("try", "yes");
    const attempt = await (await post("/monitors/new", trying)).text();
    expect(attempt).toContain("It was not tried: no agent");
    expect(attempt).not.toContain("nother look");
    const refused = await post("/monitors/new", typed);
    const text = await refused.text();
    expect([refused.status, text]).toEqual([422, expect.stringContaining("Enter a value.")]);
    expect(text).not.toContain("is required, but missing");
    const kept = sentForm(text, "/monitors/new");
    expect([kept.get("uri"), kept.get("record_assertions[0].record")]).toEqual([
      "dns:shop.test?server=10.0.0.53",
      "MX",
    ]);
  }
});

test.each([
  [
    "url",
    "postgres://ann:planted@db.test/shop",
    "Changed from HTTP to TCP, which fits what you typed.",
  ],
  ["uri", "postgres://ann:planted@db.test/shop", "Filled in from what you typed."],
])(
  "an address of a database in the field %s is its host and port, for TCP",
  async (field, text, words) => {
    const { get, post } = await operatorScene({ days: 0 });
    const path = "/monitors/new";
    const form = sentForm(
      await (await get(field === "uri" ? `${path}?kind=tcp` : path)).text(),
      path,
    );
    form.set(field, text);
    form.set("fill", "yes");
    const page = await (await post(path, form)).text();
    expect(page).toContain(
      `${words} It connects to the port, and sends no user, password or query. Press Enter`,
    );
    const made = sentForm(page, path);
    expect([made.get("kind"), made.get("uri")]).toEqual(["tcp", "db.test:5432"]);
    expect((await post(path, made)).status).toBe(303);
  },
);

test("a grpcurl command fills a gRPC monitor in, in which it is read again", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const path = "/monitors/new";
  const form = sentForm(await (await get(path)).text(), path);
  form.set("url", "grpcurl -plaintext -H 'team: a' orders.test:50051 grpc.health.v1.Health/Check");
  form.set("fill", "yes");
  const page = await (await post(path, form)).text();
  expect(page).toContain("Changed from HTTP to gRPC, which fits what you typed.");
  const filled = sentForm(page, path);
  expect([filled.get("uri"), filled.get("tls_mode"), filled.get("metadata[0].key")]).toEqual([
    "orders.test:50051",
    "plaintext",
    "team",
  ]);
  filled.set("uri", "grpcurl other.test:443 grpc.health.v1.Health/Check");
  filled.set("fill", "yes");
  const again = sentForm(await (await post(path, filled)).text(), path);
  expect([again.get("uri"), again.get("tls_mode")]).toEqual(["other.test:443", "tls"]);
});

test("a monitor of a dig command is named after its domain, though it asks one name server", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const path = "/monitors/new";
  const form = sentForm(await (await get(path)).text(), path);
  form.set("url", "dig +short acme.test @10.0.0.53");
  const { headers } = await post(path, form);
  const page = await (await get(headers.get("location") ?? "")).text();
  expect(page).toContain("<title>No data · acme.test · Picket</title>");
});

test("what of a curl command is not taken over is said until its target is another one", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const path = "/monitors/new";
  const again = async (form: URLSearchParams): Promise<string> => (await post(path, form)).text();
  const empty = sentForm(await (await get(path)).text(), path);
  empty.set("url", "curl -k https://shop.test/a");
  empty.set("fill", "yes");
  let page = await again(empty);
  const notice = "-k is not taken over: certificates are always verified.";
  expect(page).toContain("Filled in from the curl command");
  for (const button of ["try", "try", editMark]) {
    const sent = sentForm(page, path);
    sent.set(button, "yes");
    page = await again(sent);
    expect(page).toContain(notice);
    expect(page).not.toContain("Filled in");
  }
  const changed = sentForm(page, path);
  changed.set("url", "https://shop.test/b");
  changed.set("try", "yes");
  expect(await again(changed)).not.toContain("not taken over");
});

test.each([
  ["curl -X", "URL is an unfinished curl command: it needs a method after -X"],
  ["curl -X https://shop.test/", "URL is an unfinished curl command: it needs a method after -X"],
  ["curl https://shop.test/ -X", "URL is an unfinished curl command: it needs a method after -X"],
  ["curl", "URL is an unfinished curl command: it needs an address, for example curl"],
  ["curl -X POST", "URL is an unfinished curl command: it needs an address, for example curl"],
  ["dig @10.0.0.53", "URL is an unfinished dig command: it needs a domain name, for example dig"],
  [
    "mtr shop.test",
    "URL cannot be checked: type a URL, host:port, a name or a command of curl, dig",
  ],
  ["curl 'https://shop.test/", "URL is a curl command with a quote that does not end: close the"],
])("%s is refused by what it lacks, however it is sent", async (url, said) => {
  const { get, post } = await operatorScene({ days: 0 });
  const path = "/monitors/new";
  for (const button of ["", "fill"]) {
    const sent = sentForm(await (await get(path)).text(), path);
    sent.set("url", url);
    if (button !== "") sent.set(button, "yes");
    const answer = await post(path, sent);
    expect(answer.status).toBe(422);
    const page = (await answer.text()).replaceAll("&#39;", "'");
    // A form that is only filled in says it at the field alone.
    expect(page).toContain(button === "" ? said : said.replace(/^URL/, "It"));
    expect(page).not.toContain("%20");
  }
});

/** What is said at a field, without its label. */
const wrongOf = (page: string, field: string): string =>
  (new RegExp(`id="field-${field}-wrong"[^>]*>([^<]*)<`).exec(page)?.[1] ?? "")
    .replace(/^.*?(?=must be)/s, "")
    .replace(/\.\s*$/, "")
    .trim();

test("0 checks in a row are refused at their field, as is a time over its limit, and both stay as they were typed", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const path = "/monitors/new";
  const sent = sentForm(await (await get(path)).text(), path);
  sent.set("url", "https://shop.test/");
  for (const name of ["failures", "degraded", "successes"]) sent.set(`alerting.${name}`, "0");
  for (const name of ["timeout", "degraded_at"]) sent.set(name, "2 h");
  const answer = await post(path, sent);
  expect(answer.status).toBe(422);
  const page = await answer.text();
  for (const name of ["failures", "degraded", "successes"])
    expect(wrongOf(page, `alerting.${name}`)).toBe("must be in 1 to 10, not 0");
  for (const name of ["timeout", "degraded_at"])
    expect(wrongOf(page, name)).toBe("must be at most 2 min, not 2 h");
  const again = sentForm(page, path);
  expect([again.get("alerting.failures"), again.get("timeout")]).toEqual(["0", "2 h"]);
});

test("a new monitor is tried at the first ticked location that runs, whatever its kind", async () => {
  const { get, post } = await operatorScene();
  const path = "/monitors/new";
  const chosen = (page: string): string | null => sentForm(page, path).get("at");
  const opened = await (await get(path)).text();
  const first = chosen(opened);
  const ticked = sentForm(opened, path).getAll("locations");
  expect(ticked.length).toBeGreaterThan(1);
  expect(ticked[0]).toBe(first);
  let page = opened;
  for (const kind of ["dns", "tcp", "icmp", "http"]) {
    const form = sentForm(page, path);
    form.set("to", kind);
    page = await (await post(path, form)).text();
    expect([kind, chosen(page)]).toEqual([kind, first]);
  }
  // Nor does what is pasted change what a person chose.
  const form = sentForm(page, path);
  const [, other = ""] = ticked;
  form.set("at", other);
  form.set("url", "dns:shop.example");
  form.set("fill", "yes");
  expect(chosen(await (await post(path, form)).text())).toBe(other);
});
