import { expect, test } from "vitest";
import { monitorOf, scopesOf } from "#metrics/monitor-scopes";

test.each(["m", "0199c0de", "", "with\0zero"])(
  "each scope of the monitor %j is of that monitor",
  (id) => {
    expect(scopesOf(id).map(monitorOf)).toEqual([id, id, id, id]);
    expect(new Set(scopesOf(id)).size).toBe(4);
  },
);
