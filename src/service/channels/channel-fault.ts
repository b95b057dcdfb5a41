import { because, Refusal } from "#service/edge/call-refusal";

/** What is wrong with a channel, by its field. */
export const invalidData = (field: string, message: string): Refusal =>
  new Refusal(
    "invalid_argument",
    `${field} ${message}`,
    because("INVALID_NOTIFICATION_DATA", { field }),
  );
