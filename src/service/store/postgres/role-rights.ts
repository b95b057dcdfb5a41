import type { Query } from "#service/store/postgres/connections";
import { text } from "#service/store/sql";

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
 * has to own them, and has to be allowed to make more.
 */
export async function roleRights(query: Query): Promise<RoleRights> {
  // A schema that the role may not use at all is no current one.
  const { rows } = await query(
    `SELECT current_user AS role, quote_ident(current_user) AS quoted_role,
       quote_ident(COALESCE(current_schema(), 'public')) AS schema,
       CASE WHEN COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) THEN 'yes' ELSE 'no' END AS may_create,
       COALESCE((SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass('store_steps')
         AND NOT pg_has_role(relowner, 'USAGE')), '') AS other_owner`,
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
  const owner = text(row, "other_owner");
  if (owner === "") return null;
  return {
    says: `the tables belong to the role ${owner}, and not to ${role}`,
    next: `connect as ${owner}, or run ALTER TABLE ... OWNER TO ${text(row, "quoted_role")} for each as a superuser`,
  };
}
