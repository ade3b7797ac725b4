import { job } from "../../../platform/server/jobs.ts";

const LOOSE_DAYS = 2;

export default [
  job({
    name: "files.purge",
    title: "清理未使用的上传文件",
    cron: "20 3 * * *",
    transaction: false,
    /** Uploads that no record took: their rows first, so that a stop in between loses bytes that nobody can ask for. */
    work: async (act) => {
      const before = new Date(act.now.getTime() - LOOSE_DAYS * 86_400_000).toISOString();
      const gone = await act.tx
        .deleteFrom("storedFile")
        .where("targetKind", "is", null)
        .where("createdAt", "<", before)
        .returning("storageKey")
        .execute();
      for (const { storageKey } of gone) await act.files.remove(storageKey);
    },
  }),
];
