import { expect, test } from "vitest";
import { html } from "#web/page/html";
import { reportMarkup } from "#service/status-site/view/report-markup";

test("a report that was kept with CRLF has its paragraphs and lists", () => {
  expect(reportMarkup("One.\r\n\r\n- two\r\n- three").text).toBe(
    "<p>One.</p>\n<ul>\n<li>two</li>\n<li>three</li>\n</ul>\n",
  );
});

test("a lone carriage return is made visible, like every other control character", () => {
  expect(html`${"up\rdown\x07"}`.text).toBe("up\ufffddown\ufffd");
  expect(html`${"one\r\ntwo"}`.text).toBe("one\r\ntwo");
});
