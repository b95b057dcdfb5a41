import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe } from "vitest";
import type { Store } from "#service/store/store";
import { alertsConform } from "./conformance/alerts.ts";
import { auditChainConforms, auditConforms } from "./conformance/audit.ts";
import { channelsConform } from "./conformance/channels.ts";
import { configurationConforms } from "./conformance/configuration.ts";
import { monitorChangesConform } from "./conformance/monitor-changes.ts";
import { pagesConform } from "./conformance/pages.ts";
import { peopleConform } from "./conformance/people.ts";
import { resultsConform } from "./conformance/results.ts";
import { placesRefused } from "./conformance/places-refused.ts";
import { openQuietly } from "./conformance/scene.ts";
import { stateConforms } from "./conformance/state.ts";
import { pathsConform } from "./conformance/paths.ts";
import { trashConforms } from "./conformance/trash.ts";
import { wideReadsConform } from "./conformance/wide-reads.ts";
import { subscribersConform } from "./conformance/subscribers.ts";

const folder = mkdtempSync(path.join(tmpdir(), "picket-store-"));
afterAll(() => rmSync(folder, { recursive: true }));
let opened = 0;
const openFresh = (): Promise<Store> => {
  opened += 1;
  return openQuietly(path.join(folder, `${opened}.db`));
};

describe("results on SQLite", () => {
  resultsConform(openFresh);
});
describe("reads of many locations and monitors on SQLite", () => {
  wideReadsConform(async () => {
    const store = await openFresh();
    const change = async (statement: string) => {
      using file = new DatabaseSync(path.join(folder, `${opened}.db`));
      file.exec(statement);
    };
    return { store, change };
  });
});
describe("state on SQLite", () => {
  stateConforms(openFresh);
});
describe("changes of monitors on SQLite", () => {
  monitorChangesConform(openFresh);
});
describe("places that SQLite refuses", () => {
  placesRefused(async () => {
    const store = await openFresh();
    const refuse = async (table: string) => {
      using file = new DatabaseSync(path.join(folder, `${opened}.db`));
      file.exec(`CREATE TRIGGER refused BEFORE INSERT ON ${table}
        BEGIN SELECT RAISE(ABORT, 'the test refuses it'); END`);
    };
    return { store, refuse };
  });
});
describe("alerts on SQLite", () => {
  alertsConform(openFresh);
});
describe("the log of changes on SQLite", () => {
  auditConforms(openFresh);
  auditChainConforms(async () => {
    const store = await openFresh();
    const change = async (statement: string) => {
      using file = new DatabaseSync(path.join(folder, `${opened}.db`));
      file.exec(statement);
    };
    return { store, change };
  });
});
describe("what was deleted on SQLite", () => {
  trashConforms(openFresh);
});
describe("paths on SQLite", () => {
  pathsConform(openFresh);
});
describe("channels on SQLite", () => {
  channelsConform(openFresh);
});
describe("status pages on SQLite", () => {
  pagesConform(openFresh);
});
describe("a configuration on SQLite", () => {
  configurationConforms(openFresh);
});
describe("people on SQLite", () => {
  peopleConform(openFresh);
});
describe("subscribers on SQLite", () => {
  subscribersConform(openFresh);
});
