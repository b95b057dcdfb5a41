import { expect, test } from "vitest";
import type { FormFields } from "#check/form-field";
import { kinds } from "#check/monitor";
import { providers } from "#service/notify/channel";
import { channelFields } from "#service/operator/channels/channel-fields";
import { inputOf } from "#service/operator/forms/input-view";
import { locationFields } from "#service/operator/locations/location-fields";
import { monitorFields, newMonitorFields } from "#service/operator/monitors/fields-of-kinds";
import { html } from "#web/page/html";

/** What fits two lines next to another field, on a page of 1,280 px. */
const charsMax = 95;

const hintsOf = (fields: FormFields): readonly string[] =>
  Object.values(fields).flatMap(({ help, control }) =>
    control.is === "section" ? [help, ...hintsOf(control.fields)] : help,
  );

test.each([
  ...kinds.flatMap((kind) => [
    [kind, monitorFields(kind)] as const,
    [`new ${kind}`, newMonitorFields(kind)] as const,
  ]),
  ...providers.map((provider) => [provider, channelFields(provider)] as const),
  ["location", locationFields] as const,
])("no hint in the form of %s is longer than two lines", (_, fields) => {
  expect(hintsOf(fields).filter(({ length }) => length > charsMax)).toEqual([]);
});

test("an empty field shows what holds without it, and a length never an example that looks as if it were set", () => {
  const form = { typed: new URLSearchParams(), mistakes: [], idPrefix: "" };
  const { degraded_at, timeout } = monitorFields("http");
  const shown = [degraded_at, timeout, channelFields("slack")["delay"]].map((field) =>
    field === undefined ? "" : inputOf("x", field.control, form, html``)?.text,
  );
  expect(shown.map((text) => /placeholder="([^"]*)"/.exec(text ?? "")?.[1])).toEqual([
    "never",
    undefined,
    "at once",
  ]);
});
