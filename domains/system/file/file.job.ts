import { job } from "../../../platform/server/jobs/jobs.ts";
import { heldByNobody } from "./file.service.ts";

const LOOSE_DAYS = 2;

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
      const gone = await act.tx
        .deleteFrom("storedFile")
        .where("targetKind", "is", null)
        .where("createdAt", "<", before)
        .where(await heldByNobody(act))
        .returning("storageKey")
        .execute();
      for (const { storageKey } of gone) await act.files.remove(storageKey);
      return gone.length;
    },
  }),
];
