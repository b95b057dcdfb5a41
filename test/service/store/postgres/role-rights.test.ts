import { expect, test } from "vitest";
import type { Connections, Query } from "#service/store/postgres/connections";
import { roleRights } from "#service/store/postgres/role-rights";
import { filePostgres, storeOver } from "../../../support/file-postgres.ts";

const postgres = filePostgres();

/** Each statement is that of a role, whoever connected. */
function as(role: string, connections: Connections): Connections {
  const itsOwn =
    <R>(work: (query: Query) => Promise<R>) =>
    async (query: Query): Promise<R> => {
      await query(`SET ROLE ${role}`);
      try {
        return await work(query);
      } finally {
        await query("RESET ROLE");
      }
    };
  return {
    use: (work) => connections.use(itsOwn(work)),
    useLong: (work, signal) => connections.useLong(itsOwn(work), signal),
    listen: (channel, signal) => connections.listen(channel, signal),
    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  };
}

async function newRole(query: Query, name: string): Promise<void> {
  await query(`CREATE ROLE ${name}`);
}

test("a role that may not make tables gets the statement that allows it, and a store does not open before", async () => {
  const connections = await postgres.connections();
  await connections.use((query) => newRole(query, `"of Picket"`));
  const own = as(`"of Picket"`, connections);
  const says = "the role of Picket may not make tables in the schema public";
  const statement = `GRANT USAGE, CREATE ON SCHEMA public TO "of Picket"`;
  const next = `run as a superuser in this database: ${statement}`;
  await connections.use((query) => query("REVOKE ALL ON SCHEMA public FROM PUBLIC"));
  expect(await own.use(roleRights)).toEqual({ role: "of Picket", missing: { says, next } });
  await connections.use((query) => query(`GRANT USAGE ON SCHEMA public TO "of Picket"`));
  expect((await own.use(roleRights)).missing).toEqual({ says, next });
  const open = storeOver({ ...own, [Symbol.asyncDispose]: () => Promise.resolve() });
  await expect(open).rejects.toMatchObject({
    code: "store_forbidden",
    message: `${says}: ${next}`,
  });
  await connections.use((query) => query(statement));
  expect((await own.use(roleRights)).missing).toBeNull();
  await using store = await storeOver(own);
  expect(await store.health()).toBeNull();
});

test("a store does not open for a role whose tables belong to another one, and names both", async () => {
  const connections = await postgres.connections();
  await connections.use(async (query) => {
    await newRole(query, "first_role");
    await newRole(query, "second_role");
    await query("GRANT USAGE, CREATE ON SCHEMA public TO first_role, second_role");
  });
  const kept = { [Symbol.asyncDispose]: () => Promise.resolve() };
  const first = await storeOver({ ...as("first_role", connections), ...kept });
  await first[Symbol.asyncDispose]();
  const second = as("second_role", connections);
  const { says, next } = (await second.use(roleRights)).missing ?? {};
  expect(says).toMatch(
    /^\d\d tables do not belong to the role second_role, e\.g\. accounts, which is that of first_role$/,
  );
  expect(next).toBe(
    "connect as first_role, or run as a superuser in this database, for each of them: ALTER TABLE public.accounts OWNER TO second_role",
  );
  await expect(storeOver({ ...second, ...kept })).rejects.toMatchObject({
    code: "store_forbidden",
  });
  await connections.use((query) => query("GRANT first_role TO second_role"));
  await using store = await storeOver(second);
  expect(await store.health()).toBeNull();
});

test("a store does not open for a role that owns all tables but one, a day too, and gives the statement for it", async () => {
  const connections = await postgres.connections();
  await connections.use(async (query) => {
    await newRole(query, "owner_of_most");
    await query("GRANT USAGE, CREATE ON SCHEMA public TO owner_of_most");
  });
  const most = as("owner_of_most", connections);
  const kept = { [Symbol.asyncDispose]: () => Promise.resolve() };
  const first = await storeOver({ ...most, ...kept });
  await first[Symbol.asyncDispose]();
  const superuser = await connections.use((query) => query("SELECT current_user AS name"));
  const owner = String(superuser.rows[0]?.["name"]);
  const days = await connections.use((query) =>
    query("SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^results_2' ORDER BY 1"),
  );
  for (const table of ["gaps", String(days.rows[0]?.["relname"])]) {
    const give = `ALTER TABLE public.${table} OWNER TO`;
    await connections.use((query) => query(`${give} "${owner}"`));
    const next = `run as a superuser in this database: ${give} owner_of_most`;
    const says = `the table ${table} belongs to the role ${owner}, and not to owner_of_most`;
    expect((await most.use(roleRights)).missing).toEqual({ says, next });
    await expect(storeOver({ ...most, ...kept })).rejects.toMatchObject({
      code: "store_forbidden",
      message: `${says}: ${next}`,
    });
    await connections.use((query) => query(`${give} owner_of_most`));
  }
  // That of another program is not the service's.
  await connections.use((query) => query("CREATE TABLE of_another_program (id BIGINT)"));
  expect((await most.use(roleRights)).missing).toBeNull();
});

test("a schema in which another program has a table of such a name is not taken from it", async () => {
  const connections = await postgres.connections();
  await connections.use(async (query) => {
    await newRole(query, "app");
    await newRole(query, "newcomer");
    await query("GRANT USAGE, CREATE ON SCHEMA public TO app, newcomer");
  });
  await as("app", connections).use((query) => query("CREATE TABLE settings (name TEXT)"));
  expect((await as("newcomer", connections).use(roleRights)).missing).toEqual({
    says: "another program has tables in the schema public, e.g. settings, which is that of the role app",
    next: "give Picket a separate database",
  });
});
