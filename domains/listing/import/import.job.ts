import { sql } from "kysely";
import type { Who } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { READY_HOURS } from "./preview.rules.ts";
import { importSeen, takeBatch } from "./import.service.ts";
import { whoActs } from "../../access/operator/scope.service.ts";
import { roomImportCommitted } from "./import.contract.ts";

/** Takes one batch in a transaction of its own, telling how far it is beside it. */
async function takeIt(house: House, id: number, who: Who): Promise<void> {
  const { db } = house.database;
  const progress = async (percent: number) => {
    await db.updateTable("roomImport").set({ progress: percent }).where("id", "=", id).execute();
  };
  await db.transaction().execute(async (tx) => {
    // the same batch, started twice, is taken once: the second waits here and finds it done
    await sql`select pg_advisory_xact_lock(hashtext('roomImport'), ${id}::int)`.execute(tx);
    const act = actOf(house, tx, who, { requestId: `roomImport ${id}`, ip: "", userAgent: "job" });
    const batch = await importSeen(act, id);
    if (batch.state !== "importing") return;
    await takeBatch(act, batch, progress);
  });
}

export default [
  job({
    name: "roomImport.take",
    on: roomImportCommitted,
    transaction: false,
    work: async (_act, { id, operatorId }, house) => {
      const { db } = house.database;
      try {
        await takeIt(house, Number(id), await whoActs(db, Number(operatorId)));
      } catch (error) {
        // nothing of it is made; it may be checked and taken anew
        const errors = [
          { sheet: "", row: 1, column: "", header: "", value: "", msg: "导入未完成，请重新检查后再试" },
        ];
        await db
          .updateTable("roomImport")
          .set({ state: "failed", errors: JSON.stringify(errors), errorCount: 1, progress: 0 })
          .where("id", "=", Number(id))
          .where("state", "=", "importing")
          .execute();
        throw error;
      }
    },
  }),

  job({
    name: "roomImport.lapse",
    title: "过期未确认的房源导入",
    cron: "7 * * * *",
    work: async (act) => {
      const before = new Date(act.now.getTime() - READY_HOURS * 3_600_000).toISOString();
      const errors = [
        { sheet: "", row: 1, column: "", header: "", value: "", msg: "超过 24 小时未确认，请重新检查" },
      ];
      await act.tx
        .updateTable("roomImport")
        .set({ state: "failed", errors: JSON.stringify(errors), errorCount: 1, preview: null })
        .where("state", "=", "ready")
        .where("updatedAt", "<", before)
        .execute();
    },
  }),
];
