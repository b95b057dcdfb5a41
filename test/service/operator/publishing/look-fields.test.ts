import { expect, test } from "vitest";
import {
  commonColourFields,
  otherColourFields,
  themeSamples,
} from "#service/operator/publishing/look-fields";
import { pageDefaults, themeKeys } from "#service/status-page/page-definition";
import { themes } from "#service/status-page/themes";

const page = { ...pageDefaults, title: "Acme", slug: "acme" };

test.each(themeKeys)(
  "each colour of the theme %s begins as the theme has it, in the form that a picker takes",
  (themeKey) => {
    const looks = { configuration: { ...page.configuration, themeKey } };
    const fields = Object.entries({ ...commonColourFields(looks), ...otherColourFields(looks) });
    expect(fields.length).toBe(22);
    const examples = new Map(
      fields.map(([name, { control }]) => [name, control.is === "colour" ? control.example : ""]),
    );
    for (const [name, example] of examples)
      expect([name, example]).toEqual([name, expect.stringMatching(/^#[\da-f]{6}$/)]);
    const link = examples.get("custom_theme.light.--primary");
    expect(examples.get("custom_theme.light.--info")).toBe(
      themes[themeKey].light["--info"] ?? link,
    );
  },
);

test("each theme has a sample of it in light and in dark, in colours that a picture takes", () => {
  for (const themeKey of themeKeys) {
    const samples = themeSamples[themeKey] ?? [];
    expect([themeKey, samples.length]).toEqual([themeKey, 2]);
    for (const { isRound: _, ...colours } of samples)
      for (const colour of Object.values(colours))
        expect([themeKey, colour]).toEqual([themeKey, expect.stringMatching(/^#[\da-f]{6}$/)]);
  }
});
