import { thrownText } from "#base/text";
import { openForReading } from "#service/store/sqlite/database-file";

/** What is damaged of a database's file, in SQLite's words; null if it is whole. It reads the whole file. */
export function damageIn(file: string): string | null {
  try {
    using sqlite = openForReading(file);
    const [row] = sqlite.prepare("PRAGMA quick_check(1)").all();
    const said = String(row?.["quick_check"] ?? "no answer");
    return said === "ok" ? null : said.replaceAll(/\s+/g, " ");
  } catch (error) {
    return thrownText(error);
  }
}
