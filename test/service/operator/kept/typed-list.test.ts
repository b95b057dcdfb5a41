import { expect, test } from "vitest";
import type { FormFields } from "#check/form-field";
import { kinds } from "#check/monitor";
import { providers } from "#service/notify/channel";
import { channelFields } from "#service/operator/channels/channel-fields";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { settingsFormFields } from "#service/operator/publishing/status-page-fields";
import { subscriberFields } from "#service/operator/publishing/subscriber-views";
import { typedList } from "#service/operator/kept/typed-list";

/** What the list says, a line for each field. */
function listed(path: string, fields: readonly (readonly [string, string])[]): readonly string[] {
  const form = new URLSearchParams();
  for (const [name, value] of fields) form.append(name, value);
  const names = (field: string, member: string) => `${field} ${member}`;
  const list = typedList({ path, form }, names)?.text ?? "";
  return [...list.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>([^<]*)<\/dd>/g)].map(
    ([, label = "", words = ""]) => `${label}: ${words}`,
  );
}

test("what was typed is listed by the labels of its form, in their order, with words for choices", () => {
  const monitor = {
    kind: "http",
    basis: "monitor 1 7",
    name: "Shop <b>",
    url: "https://shop.test/",
    active: "yes",
    timeout: "4500ms",
    description: "",
    "headers[1].key": "X-Team",
    "headers[1].value": "shop",
    "headers[3].row": "",
    locations: "2",
    notifications: "5",
  };
  expect(listed("/monitors/3/edit", Object.entries(monitor))).toEqual([
    "URL: https://shop.test/",
    "Headers, header 1: Name: X-Team, Value: typed, not shown",
    "Name: Shop &lt;b&gt;",
    "Active: yes",
    "Locations: locations 2",
    "Channels: 1 chosen",
    "Timeout: 4500 ms",
  ]);
});

test.each([
  [
    "/status-pages/3/look",
    { "custom_theme.light.--primary": "#117733", "configuration.days": "30" },
    ["Accent in light: #117733", "Days that are shown: 30"],
  ],
  ["/reports/2", { status: "identified", message: "A\nB" }, ["State: Identified", "Message: A\nB"]],
  ["/maintenances/new", { from: "2026-12-01T22:00" }, ["Begins: 2026-12-01 22:00"]],
  [
    "/settings/people",
    { name: "Cy", email: "cy@a.test" },
    ["Name: Cy", "E-mail address: cy@a.test"],
  ],
  [
    "/monitors/1/silence",
    { reason: "Known", length: "own", count: "3", unit: "h" },
    ["Reason: Known", "For: 3 hours"],
  ],
  ["/monitors/1/silence", { length: "1h", count: "2", unit: "h" }, ["For: 1 hour"]],
  ["/status-pages/1/monitors", { "monitors.rest": "1-b" }, ["Monitors: 12 chosen"]],
  [
    "/settings/password",
    { current: "a", password: "b" },
    ["Current password: typed, not shown", "New password: typed, not shown"],
  ],
  ["/channels/new", { url: "https://hooks.test/T0" }, ["URL: typed, not shown"]],
  ["/monitors/1/pause", { form: "token" }, []],
])("a form of %s is listed, whatever it is made of", (path, fields, lines) => {
  expect(listed(path, Object.entries(fields))).toEqual(lines);
});

/** A form with a secret in each field that may have one. */
const planted = (fields: FormFields, prefix = ""): readonly [string, string][] =>
  Object.entries(fields).flatMap(([name, { control }]): readonly [string, string][] => {
    switch (control.is) {
      case "secret":
      case "password":
        return [[`${prefix}${name}`, "planted"]];
      case "address":
        return [[`${prefix}${name}`, "https://ann:planted@shop.test/?key=planted"]];
      case "rows":
      case "pairs":
        return [...planted(control.columns, `${prefix}${name}[0].`)];
      case "section":
        return [...planted(control.fields, `${prefix}${name}.`)];
      default:
        return [];
    }
  });

test.each([
  ...kinds.map((kind) => ["/monitors/new", monitorFields(kind), kind] as const),
  ...providers.map((one) => [`/channels/new/${one}`, channelFields(one), one] as const),
  ...providers.map((one) => ["/channels/1/edit", channelFields(one), one] as const),
  ["/status-pages/1/access", settingsFormFields.access, ""],
  ["/status-pages/1/subscribers", subscriberFields, ""],
] as const)("no secret of a form of %s is listed", (path, fields, kind) => {
  const form = planted(fields);
  const said = listed(path, [["kind", kind], ...form]).join("\n");
  expect(said).not.toContain("planted");
  if (form.length > 0) expect(said).toMatch(/typed, not shown|••••/);
});

test("a curl command, which may have a token, is not shown, whatever kind it was typed into", () => {
  const url = "curl -H 'authorization: Bearer planted' https://shop.test/";
  expect(listed("/monitors/new", [["url", url]])).toEqual(["URL: typed, not shown"]);
  const typed = [
    ["kind", "tcp"],
    ["uri", url],
  ] as const;
  expect(listed("/monitors/new", typed)).toEqual(["Host and port: typed, not shown"]);
});
