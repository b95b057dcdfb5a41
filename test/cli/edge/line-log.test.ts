import { describe, expect, it } from "vitest";
import { lineLog } from "#cli/edge/line-log";
import type { Severity } from "#base/log";

function linesOf(least: Severity): readonly string[] {
  const lines: string[] = [];
  const log = lineLog((line) => void lines.push(line), least);
  log.debug("asked");
  log.info("started", { port: 80 });
  log.warn("the service is away", { after: "3 s", skipped: undefined, cause: null });
  log.error("bad\nline");
  return lines;
}

describe("the log of lines", () => {
  it("says warnings and errors with their fields", () => {
    expect(linesOf("warn")).toEqual([
      "warning: the service is away (after=3 s, cause=null)",
      "error: bad\\x0aline",
    ]);
  });

  it("says everything when asked to", () => {
    expect(linesOf("debug").slice(0, 2)).toEqual(["debug: asked", "info: started (port=80)"]);
  });
});
