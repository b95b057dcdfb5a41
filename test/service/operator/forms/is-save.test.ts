import { expect, test } from "vitest";
import { isSave } from "#service/operator/forms/is-save";

test.each(["test", "try", "row", "edit", "preview"])(
  "a form that is sent by its button %s is not to be saved",
  (button) => {
    const form = new URLSearchParams({ name: "ops" });
    expect(isSave(form)).toBe(true);
    form.set(button, button === "row" ? "add headers" : "yes");
    expect(isSave(form)).toBe(false);
  },
);
