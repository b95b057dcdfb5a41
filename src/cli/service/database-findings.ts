import { failed, fine, type Finding } from "#cli/doctor/finding";
import { isMissing } from "#cli/service/service-database";
import { isServer } from "#service/store/open-store";
import { damageIn } from "#service/store/sqlite/damaged-file";

/** Whether the database's file is whole: also a backup's, before it is restored. A server looks after its own. */
export function databaseFindings(database: string): readonly Finding[] {
  if (isServer(database) || isMissing(database)) return [];
  const about = "database";
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
