import { failed, fine, type Finding } from "#cli/doctor/finding";
import { isMissing } from "#cli/service/service-database";
import { isServer } from "#service/store/open-store";
import { faultOf } from "#service/store/postgres/postgres-fault";
import { poolOf } from "#service/store/postgres/pool";
import { roleRights } from "#service/store/postgres/role-rights";
import { refuseSharedSession, sharedSession } from "#service/store/postgres/shared-session";
import { thrownText } from "#base/text";
import { damageIn } from "#service/store/sqlite/damaged-file";

const about = "database";

/**
 * Whether the database's file is whole: also a backup's, before it is restored. A server looks after its own; there, the
 * service's role needs rights.
 */
export async function databaseFindings(database: string): Promise<readonly Finding[]> {
  if (isServer(database)) return [await rightsFinding(database)];
  if (isMissing(database)) return [];
  const damage = damageIn(database);
  return [
    damage === null
      ? fine(about, "the file is whole")
      : failed(
          about,
          `the file is damaged: ${damage}`,
          "see the kernel's log, and restore the newest backup that picket service doctor --database BACKUP finds whole",
        ),
  ];
}

async function rightsFinding(database: string): Promise<Finding> {
  await using pool = poolOf(database);
  try {
    const { role, missing } = await pool.use(async (query) => {
      await refuseSharedSession(query, pool);
      return roleRights(query);
    });
    return missing === null
      ? fine(about, `the role ${role} may make the tables of the service`)
      : failed(about, missing.says, missing.next);
  } catch (error) {
    if (isShared(error)) return failed(about, sharedSession.says, sharedSession.next);
    if (!isUnreachable(error)) throw error;
    return failed(
      about,
      `PostgreSQL cannot be reached or does not let us in (${thrownText(error)})`,
      "start it, or correct PICKET_SERVICE_DATABASE, and run this again",
    );
  }
}

const isShared = (error: unknown): boolean => faultOf(error)?.code === "unsupported";

/** Nothing else can be asked of it then. */
const isUnreachable = (error: unknown): boolean => faultOf(error)?.code === "store_unreachable";
