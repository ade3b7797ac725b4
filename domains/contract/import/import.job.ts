import { sql } from "kysely";
import type { Who } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { whoActs } from "../../access/operator/scope.service.ts";
import { importSeen } from "./import.queries.ts";
import { takeBatch } from "./import.service.ts";
import { contractImportCommitted } from "./import.contract.ts";

/** Takes one batch in a transaction of its own, telling how far it is beside it. */
async function takeIt(house: House, id: number, who: Who): Promise<void> {
  const { db } = house.database;
  // the row itself is locked by nobody: what is told here is seen while the work goes on
  const progress = async (percent: number) => {
    await db.updateTable("contractImport").set({ progress: percent }).where("id", "=", id).execute();
  };
  await db.transaction().execute(async (tx) => {
    // the same batch, started twice, is taken once: the second waits here and finds it done
    await sql`select pg_advisory_xact_lock(hashtext('contractImport.take'), ${id}::int)`.execute(tx);
    const act = actOf(house, tx, who, { requestId: `contractImport ${id}`, ip: "", userAgent: "job" });
    const batch = await importSeen(act, id);
    if (batch.state === "importing") await takeBatch(act, batch, progress);
  });
}

export default [
  job({
    name: "contractImport.take",
    on: contractImportCommitted,
    transaction: false,
    work: async (_act, { id, operatorId }, house) => {
      const { db } = house.database;
      try {
        await takeIt(house, Number(id), await whoActs(db, Number(operatorId)));
      } catch (error) {
        // nothing of it is made; it may be sent anew
        const errors = [{ row: 1, column: "", header: "", value: "", msg: "导入未完成，请重新上传后再试" }];
        await db
          .updateTable("contractImport")
          .set({ state: "failed", errors: JSON.stringify(errors), errorCount: 1, progress: 0 })
          .where("id", "=", Number(id))
          .where("state", "=", "importing")
          .execute();
        throw error;
      }
    },
  }),
];
