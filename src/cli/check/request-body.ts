import { UsageError } from "#cli/edge/usage-error";
import { bodyMethods } from "#check/monitor";
import { readBounded, whyUnusable } from "#machine/bounded-file";
import * as limits from "#limits/check-limits";

/** The body of --body, which only some methods send. Throws a UsageError that says what is wrong. */
export function requestBody(given: string, method: string): string {
  const body = given.startsWith("@") ? bodyIn(given.slice(1)) : given;
  // A monitor keeps a body that its method does not send; a person at a terminal meant it to be sent.
  if (body !== "" && !bodyMethods.some((one) => one === method.toUpperCase()))
    throw new UsageError(
      `--body is sent with ${bodyMethods.join(", ")} only, not with ${method}: give --method POST as well, or leave --body out`,
    );
  return body;
}

/** As curl's --data reads it: without line breaks and NUL bytes. A body is text, so the file has to be. */
function bodyIn(file: string): string {
  if (file === "" || file === "-")
    throw new UsageError("--body @ needs the name of a file, e.g. --body @order.json");
  try {
    const text = readBounded(file, limits.requestBodyBytesMax);
    if (text.includes("\uFFFD")) throw new Error("it is not UTF-8 text");
    return text.replace(/[\r\n\0]/g, "");
  } catch (error) {
    throw new UsageError(`--body @${file} cannot be read: ${whyUnusable(error)}`);
  }
}
