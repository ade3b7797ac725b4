import { job } from "../../../platform/server/jobs/jobs.ts";

const DAY = 86_400_000;

export default [
  job({
    name: "tickets.purge",
    title: "清理手机上传",
    cron: "35 * * * *",
    transaction: false,
    /** What came by phone and was saved with nothing within a day; rows first, as for every loose file. */
    work: async ({ tx, now, files }) => {
      const before = new Date(now.getTime() - DAY).toISOString();
      const left = await tx
        .deleteFrom("storedFile")
        .where("targetKind", "is", null)
        .where("id", "in", (eb) =>
          eb.selectFrom("uploadArrival").select("fileId").where("arrivedAt", "<", before),
        )
        .returning("storageKey")
        .execute();
      for (const { storageKey } of left) await files.remove(storageKey);
      await tx.deleteFrom("uploadTicket").where("expiresAt", "<", before).execute();
    },
  }),
];
