import { expect, test } from "vitest";
import { channelFields } from "#service/operator/channels/channel-fields";
import { withTimesAgain } from "#service/operator/forms/form-durations";
import { typedTime } from "#service/operator/forms/typed-time";

test.each([
  ["22:00", "22:00"],
  ["9pm", "21:00"],
  ["9 PM", "21:00"],
  ["9 p.m.", "21:00"],
  ["9:30 pm", "21:30"],
  ["9.30am", "09:30"],
  ["12 am", "00:00"],
  ["12pm", "12:00"],
  ["21.00", "21:00"],
  ["2100", "21:00"],
  ["700", "07:00"],
  ["21h", "21:00"],
  ["21 h", "21:00"],
  ["21h30", "21:30"],
  ["21 Uhr", "21:00"],
  ["7", "07:00"],
  ["7:00:00", "07:00"],
  ["24:00", "00:00"],
  ["noon", "12:00"],
  ["Midnight", "00:00"],
])("a time of day that is typed as %s is %s", (typed, time) => {
  expect(typedTime(typed)).toBe(time);
});

test.each(["25:00", "24:30", "13 pm", "0 am", "22:60", "at night", "22:00 UTC", "1234567", ""])(
  "what is no time of day stays as it was typed: %j",
  (typed) => {
    expect(typedTime(typed)).toBe(typed);
  },
);

test("quiet hours come back as the form writes a time", () => {
  const typed = new URLSearchParams({ "quiet_hours[0].from": "9pm", "quiet_hours[0].to": "0700" });
  expect(Object.fromEntries(withTimesAgain(channelFields("slack"), typed))).toEqual({
    "quiet_hours[0].from": "21:00",
    "quiet_hours[0].to": "07:00",
  });
});
