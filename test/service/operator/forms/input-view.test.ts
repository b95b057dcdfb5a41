import { expect, test } from "vitest";
import { html } from "#web/page/html";
import { filledIn } from "#service/operator/changes/filled-form";
import { inputOf } from "#service/operator/forms/input-view";

test.each(["\n\nsecond", "\r\nsecond", "first\nsecond", ""])(
  "a box for text keeps the empty lines at its beginning: %j",
  (value) => {
    const form = { typed: new URLSearchParams({ body: value }), mistakes: [], idPrefix: "" };
    const box = inputOf("body", { is: "long", lines: 3 }, form, html``)?.text ?? "";
    expect(filledIn(box).form.get("body")).toBe(value);
  },
);
