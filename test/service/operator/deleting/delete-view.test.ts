import { expect, test } from "vitest";
import { deleteView, whatGoes } from "#service/operator/deleting/delete-view";

const nothing = {
  name: "Shop",
  owner: "",
  results: 0,
  incidents: 0,
  locations: 0,
  channels: 0,
  monitors: 0,
  pages: 0,
  components: 0,
  reports: 0,
  subscribers: 0,
  unconfirmed: 0,
  updates: 0,
};

test("one of what goes with an object is said as one, and several as several", () => {
  expect(whatGoes.monitor({ ...nothing, incidents: 1 })).toContain(
    "Its incident stays listed, and ends if it is open.",
  );
  expect(whatGoes.monitor({ ...nothing, incidents: 3 })).toContain(
    "Its 3 incidents stay listed; an open one ends.",
  );
  expect(whatGoes.page({ ...nothing, subscribers: 1 })).toContain(
    "1 subscriber gets no more news.",
  );
  expect(whatGoes.page({ ...nothing, subscribers: 2 })).toContain(
    "2 subscribers get no more news.",
  );
  expect(whatGoes.page({ ...nothing, unconfirmed: 2 }).slice(2)).toEqual([
    "2 subscriptions not confirmed yet can no longer be confirmed.",
  ]);
});

test("the question leads back to the object, says that the deletion can be undone, and can be cancelled", () => {
  const reader = { kind: "local", formToken: "t", timeZone: "" } as const;
  const page = deleteView({
    kind: "report",
    id: "4",
    name: "A <b>",
    owner: "",
    facts: [["State", "Resolved"]],
    goes: [],
    reader,
  });
  expect(page.text).toContain('<p class="back"><a href="/reports/4">A &lt;b&gt;</a></p>');
  expect(page.text).toContain("You can undo this for ten minutes.");
  expect(page.text.replaceAll(/\s+/g, " ")).toContain("<dt>State</dt> <dd>Resolved</dd>");
  expect(page.text).toContain('<a class="button" href="/reports/4">Cancel</a>');
});
