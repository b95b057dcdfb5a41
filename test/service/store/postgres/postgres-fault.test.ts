import { expect, test } from "vitest";
import { faultOf } from "#service/store/postgres/postgres-fault";

const said = (code: string, message: string) =>
  faultOf(Object.assign(new Error(message), { code }));

const remote =
  "connection to the remote node picket@worker-1:5432 failed with the following error:";

test.each([
  ["08006", `${remote} Connection refused`, "store_part_away", "cannot be reached: start it"],
  ["08006", `${remote} fe_sendauth: no password supplied`, "store_part_away", ".pgpass"],
  [
    "08006",
    `${remote} FATAL:  no pg_hba.conf entry for host "10.0.0.2"`,
    "store_part_away",
    "does not let the coordinator in",
  ],
  [
    "08006",
    `${remote} SSL SYSCALL error: EOF detected`,
    "store_part_away",
    "cannot be reached: start it",
  ],
  [
    "XX000",
    "loaded Citus library version differs from installed extension version",
    "store_broken",
    "run ALTER EXTENSION citus UPDATE in this database on each server",
  ],
  ["42501", "permission denied for table settings", "store_forbidden", "picket service doctor"],
])("%s %s is %s, and the sentence gives the next step", (code, message, fault, next) => {
  const found = said(code, message);
  expect(found?.code).toBe(fault);
  expect(found?.message).toContain(next);
  expect(found?.message).toContain(message);
});
