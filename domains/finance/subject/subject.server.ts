import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { addFee, deleteFee, editFee, exportFees } from "./fee.contract.ts";
import { changeFee, fees, makeFee, removeFee } from "./fee.service.ts";
import { taxWord } from "./subject.rules.ts";
import { subjectOptions } from "./subject.contract.ts";
import type { SubjectKind, TaxMode } from "./subject.rules.ts";

export default [
  serveList(fees),
  exportList(exportFees),
  serve(addFee, async (act, { body }) => ({ id: await makeFee(act, body) })),
  serveDone(editFee, (act, { params, body }) => changeFee(act, params.id, body)),
  serveDone(deleteFee, (act, { params }) => removeFee(act, params.id)),

  serveRead(subjectOptions, async (read, { query }) => {
    const rows = await read.tx
      .selectFrom("feeSubject")
      .select(["id", "code", "name", "kind", "taxMode", "taxRate"])
      .where("enterpriseId", "in", (eb) =>
        eb.selectFrom("village").select("enterpriseId").where("id", "=", anyOf(read.who.villages)),
      )
      .where("enabled", "=", true)
      .$if(Boolean(query.kinds?.length), (q) => q.where("kind", "in", query.kinds!))
      .$if(Boolean(query.ids?.length), (q) => q.where("id", "=", anyOf(query.ids!)))
      .$if(Boolean(query.keyword), (q) => q.where("name", "ilike", `%${query.keyword!}%`))
      .orderBy("priority")
      .orderBy("id")
      .execute();
    return rows.map((row) => {
      const taxMode = row.taxMode as TaxMode;
      return { ...row, taxMode, kind: row.kind as SubjectKind, taxWord: taxWord({ ...row, taxMode }) };
    });
  }),
];
