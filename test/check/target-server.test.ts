import { expect, test } from "vitest";
import { serverOf } from "#check/target-server";

test.each([
  ["https://Shop.test/a?b=c", "shop.test:443"],
  ["http://shop.test", "shop.test:80"],
  ["https://shop.test:8443/health", "shop.test:8443"],
  ["http://ann:secret@10.0.0.1:9702/", "10.0.0.1:9702"],
  ["https://[::1]/", "[::1]:443"],
  ["db.test:5432", "db.test:5432"],
  ["grpcs://api.test:443/health", "api.test:443"],
  ["www.example.com", "www.example.com"],
])("the server of %s is %s", (target, server) => {
  expect(serverOf(target)).toBe(server);
});
