import { expect, test } from "vitest";
import { html } from "#web/page/html";
import { reportMarkup, reportPlain } from "#service/status-site/view/report-markup";

test("a report that was kept with CRLF has its paragraphs and lists", () => {
  expect(reportMarkup("One.\r\n\r\n- two\r\n- three").text).toBe(
    "<p>One.</p>\n<ul>\n<li>two</li>\n<li>three</li>\n</ul>\n",
  );
});

test("a lone carriage return is made visible, like every other control character", () => {
  expect(html`${"up\rdown\x07"}`.text).toBe("up\ufffddown\ufffd");
  expect(html`${"one\r\ntwo"}`.text).toBe("one\r\ntwo");
});

test("plain text has no marks of Markdown, and a link says where it goes", () => {
  const written = [
    "**Postgres** moves to `15.2`. See [the plan](https://acme.example/plan)",
    "or https://acme.example/now.",
    "",
    "- reads stay",
    "  1. first",
    "  2. second",
    "- writes *wait* & <b>rest</b>",
    "",
    "> Quoted\u202E",
  ].join("\n");
  expect(reportPlain(written).split("\n")).toEqual([
    "Postgres moves to 15.2. See the plan (https://acme.example/plan)",
    "or https://acme.example/now.",
    "",
    "- reads stay",
    "  1. first",
    "  2. second",
    "- writes wait & <b>rest</b>",
    "",
    "Quoted\ufffd",
  ]);
  expect(reportPlain("")).toBe("");
  expect(reportPlain("```\nselect 1;\n```")).toBe("select 1;");
});

test("a picture is its words, which lead to it, and is not loaded", () => {
  const markup = (text: string): string => reportMarkup(text).text.trim();
  expect(markup("See ![the <graph>](https://acme.example/graph.png)!")).toBe(
    '<p>See <a href="https://acme.example/graph.png" rel="nofollow noopener">the &lt;graph&gt;</a>!</p>',
  );
  expect(markup("![](https://acme.example/a.png)")).toContain(">https://acme.example/a.png</a>");
  expect(markup("[![badge](https://acme.example/b.svg)](https://acme.example)")).toBe(
    '<p><a href="https://acme.example" rel="nofollow noopener">badge</a></p>',
  );
  expect(markup("![x](javascript:alert(1))")).not.toMatch(/<a |<img/);
  expect(reportPlain("See ![the graph](https://acme.example/graph.png).")).toBe(
    "See the graph (https://acme.example/graph.png).",
  );
});
