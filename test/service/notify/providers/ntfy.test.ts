import { expect, test } from "vitest";
import { notices, requestsOf, shop } from "../../../support/notices.ts";

test("a message is JSON at the server's root, with the topic in it", () => {
  expect(requestsOf("ntfy", notices["monitor.error"])).toMatchObject([
    {
      method: "POST",
      url: "https://ntfy.test/",
      headers: { authorization: "Bearer tk_secret" },
      json: {
        topic: "ops",
        title: "Down: shop",
        priority: 5,
        tags: ["rotating_light"],
        click: "https://picket.test/monitors/4",
        markdown: false,
      },
    },
  ]);
});

test.each([
  ["monitor.degraded", 4, "warning"],
  ["monitor.recovered", 3, "white_check_mark"],
  ["monitor.reminder", 4, "information_source"],
  ["location.offline", 5, "rotating_light"],
  ["location.online", 3, "white_check_mark"],
] as const)("%s has the priority %i and the tag %s", (type, priority, tag) => {
  expect(requestsOf("ntfy", notices[type])).toMatchObject([{ json: { priority, tags: [tag] } }]);
});

test("a long message is cut below 4,096 bytes, at which it would become a file", () => {
  const monitor = { ...shop, description: "ü".repeat(1024), labels: { a: "漢".repeat(400) } };
  const { result } = notices["monitor.error"];
  const failure = { code: "agent_error", phase: "agent", message: "漢".repeat(5_000) } as const;
  const [request] = requestsOf("ntfy", {
    ...notices["monitor.error"],
    monitor,
    result: result && { ...result, failure },
  });
  const { message = "", title }: { message?: string; title?: string } = Object(request?.json);
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096);
  expect(title).toBe("Down: shop");
  // The reason is cut, not what follows it.
  expect(message).toMatch(/^漢+…\nSince: /);
});
