import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";

const LOOSE_DAYS = 2;

/** Every column that refers to a file and does not go along with it, as the database itself knows them. */
const holders = async ({ tx }: Act) => {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'stored_file'::regclass and c.confdeltype <> 'c'`.execute(tx);
  return rows;
};

export default [
  job({
    name: "files.purge",
    title: "清理未使用的上传文件",
    cron: "20 3 * * *",
    transaction: false,
    /**
     * Uploads that no record took: their rows first, so that a stop in between loses bytes that nobody can ask for. One
     * that a record refers to although it hangs on none stays; answers how many are gone.
     */
    work: async (act) => {
      const before = new Date(act.now.getTime() - LOOSE_DAYS * 86_400_000).toISOString();
      const held = (await holders(act)).map(
        ({ table, column }) =>
          sql`not exists (select from ${sql.raw(table)} h where h.${sql.ref(column)} = stored_file.id)`,
      );
      const gone = await act.tx
        .deleteFrom("storedFile")
        .where("targetKind", "is", null)
        .where("createdAt", "<", before)
        .where(sql<boolean>`${sql.join([sql`true`, ...held], sql` and `)}`)
        .returning("storageKey")
        .execute();
      for (const { storageKey } of gone) await act.files.remove(storageKey);
      return gone.length;
    },
  }),
];
