import { expect, test } from "vitest";
import { notices, requestsOf, shop } from "../../../support/notices.ts";

test("a message is in the thread of its incident, and the URL keeps key and token", () => {
  const [request] = requestsOf("google_chat", notices["monitor.error"]);
  expect(request).toMatchObject({
    method: "POST",
    url: "https://chat.test/v1/spaces/A/messages?key=k&token=secret&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD",
    json: { thread: { threadKey: "incident-17" } },
  });
  expect(JSON.stringify(request?.json)).toContain("*Down: shop*");
  const [recovery] = requestsOf("google_chat", notices["monitor.recovered"]);
  expect(recovery).toMatchObject({ json: { thread: { threadKey: "incident-17" } } });
  const [location] = requestsOf("google_chat", notices["location.offline"]);
  expect(location).toMatchObject({ json: { thread: { threadKey: "incident-18" } } });
});

test("a name calls no one", () => {
  const monitor = { ...shop, name: "<users/all> shop" };
  const [request] = requestsOf("google_chat", { ...notices["monitor.error"], monitor });
  expect(JSON.stringify(request?.json)).not.toContain("<users/all>");
});
