import type { Query } from "#service/store/postgres/connections";
import { migrations } from "#service/store/migrations";
import { integer, text } from "#service/store/sql";

/** What the role of the service may do in its database. */
interface RoleRights {
  readonly role: string;
  /** A right that the role lacks; null if it may do all that the service does. */
  readonly missing: MissingRight | null;
}

interface MissingRight {
  readonly says: string;
  /** How it is given. */
  readonly next: string;
}

/**
 * Asks what the role of a connection may do. The service makes its tables itself, and one for each new day, so the role
 * has to own each of them, and has to be allowed to make more.
 */
export async function roleRights(query: Query): Promise<RoleRights> {
  // A schema that the role may not use at all is no current one.
  const { rows } = await query(
    `SELECT current_user AS role, quote_ident(current_user) AS quoted_role,
       quote_ident(COALESCE(current_schema(), 'public')) AS schema,
       CASE WHEN COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) THEN 'yes' ELSE 'no' END AS may_create,
       CASE WHEN to_regclass(quote_ident(current_schema()) || '.store_steps') IS NULL THEN 'yes' ELSE 'no' END AS is_new,
       others.count AS others, COALESCE(others.first, '') AS first_other,
       COALESCE(pg_get_userbyid(others.owner), '') AS other_owner
     FROM (SELECT COUNT(*) AS count, MIN(relname) AS first, (array_agg(relowner ORDER BY relname))[1] AS owner
       FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p')
         AND (relname = ANY (string_to_array($1, ' ')) OR relname ~ '^results_([0-9]{8}|rest)$')
         AND NOT pg_has_role(relowner, 'USAGE')) AS others`,
    [tablesOfOurs.join(" ")],
  );
  const [row = {}] = rows;
  const role = text(row, "role");
  return { role, missing: missingRight(row, role) };
}

function missingRight(row: Record<string, unknown>, role: string): MissingRight | null {
  const schema = text(row, "schema");
  if (text(row, "may_create") === "no")
    return {
      says: `the role ${role} may not make tables in the schema ${schema}`,
      next: `run as a superuser in this database: GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${text(row, "quoted_role")}`,
    };
  const others = integer(row, "others");
  if (others === 0) return null;
  const [table, owner] = [text(row, "first_other"), text(row, "other_owner")];
  // To take it away would lock the other program out, and a table of ours would not fit next to it.
  if (text(row, "is_new") === "yes")
    return {
      says: `another program has tables in the schema ${schema}, e.g. ${table}, which is that of the role ${owner}`,
      next: "give Picket a separate database",
    };
  const own = `ALTER TABLE ${schema}.${table} OWNER TO ${text(row, "quoted_role")}`;
  return others === 1
    ? {
        says: `the table ${table} belongs to the role ${owner}, and not to ${role}`,
        next: `run as a superuser in this database: ${own}`,
      }
    : {
        says: `${others} tables do not belong to the role ${role}, e.g. ${table}, which is that of ${owner}`,
        next: `connect as ${owner}, or run as a superuser in this database, for each of them: ${own}`,
      };
}

/** Days of results have further ones. */
const tablesOfOurs = [
  "store_steps",
  ...migrations.flatMap((step) =>
    [...step.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = ""]) => name),
  ),
];
