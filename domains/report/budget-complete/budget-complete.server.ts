import { firstOf } from "../../../platform/kernel/day.ts";
import { stale } from "../../../platform/kernel/refusal.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { indicatorOf } from "../budget-indicator/indicators.queries.ts";
import * as calls from "./budget-complete.contract.ts";
import { actualBehind, byIndicator, byVillage, villageRows } from "./complete.queries.ts";

type Note = { villageId: number; indicatorId: number; month: string; text: string; version: number };

async function keepNote(act: Act, { month, text, version, ...of }: Note): Promise<void> {
  inScope(act.who, of.villageId);
  const indicator = await indicatorOf(act, of.indicatorId);
  const day = firstOf(month);
  if (version) await revise(act, "budgetNote", { ...of, month: day, version }, { text, ...stamp(act) });
  else {
    const made = await act.tx
      .insertInto("budgetNote")
      .values({ ...of, month: day, text, updatedBy: act.who.operatorId || null })
      .onConflict((oc) => oc.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!made) throw stale();
  }
  await act.note({
    kind: "budgetNote",
    recordId: of.indicatorId,
    number: indicator.name,
    villageId: of.villageId,
    action: "填写说明",
    summary: `${month} ${indicator.name}：${text}`,
  });
}

export default [
  serveRead(calls.indicatorComplete, (read, { query }) => byIndicator(read, query)),
  exportList(calls.exportIndicatorComplete),
  serveRead(calls.villageComplete, (read, { query }) => byVillage(read, query)),
  serveRead(calls.villageCompleteRows, (read, { query }) => villageRows(read, query)),
  exportList(calls.exportVillageComplete),
  serveRead(calls.budgetActual, (read, { query }) => actualBehind(read, query)),
  serve(calls.writeNote, async (act, { body }) => {
    await keepNote(act, body);
    return null;
  }),
];
