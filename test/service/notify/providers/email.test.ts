import { expect, test } from "vitest";
import { notices, rendered } from "../../../support/notices.ts";

test("a mail's sentence begins with a capital letter in its text and its HTML, as on pages", () => {
  const { result } = notices["monitor.error"];
  const failure = {
    code: "tls_self_signed",
    phase: "tls",
    message: "the certificate is self-signed",
  } as const;
  const made = rendered("email", {
    ...notices["monitor.error"],
    result: result && { ...result, failure },
  });
  const mail = made.is === "mail" ? made.mail : null;
  expect(mail?.text).toContain("\n\nThe certificate is self-signed\n\n");
  expect(mail?.html).toContain(">The certificate is self-signed</p>");
});
