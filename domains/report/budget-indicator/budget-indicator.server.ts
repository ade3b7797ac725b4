import { notFound } from "../../../platform/kernel/refusal.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import * as calls from "./budget-indicator.contract.ts";
import { add, edit, indicatorFrom, order, remove, switchTo } from "./budget-indicator.service.ts";
import { drillOf } from "./drill.queries.ts";
import { shownIndicators } from "./indicators.queries.ts";

export default [
  serveRead(calls.listIndicators, async (read, { query }) => {
    const { kind, state, keyword, ids, pageNo, pageSize, want } = query;
    const typed = keyword?.toLowerCase();
    const all = await shownIndicators(
      read,
      (one) =>
        (!ids?.length || ids.includes(one.id)) &&
        (!kind?.length || kind.includes(one.kind)) &&
        (!state || one.enabled === (state === "enabled")) &&
        (!typed || one.code.toLowerCase().includes(typed) || one.name.toLowerCase().includes(typed)),
    );
    return {
      list: want === "totals" ? [] : all.slice((pageNo - 1) * pageSize, pageNo * pageSize),
      total: want === "rows" ? null : all.length,
    };
  }),
  exportList(calls.exportIndicators),

  serveRead(calls.getIndicator, async (read, { params }) => {
    const [one] = await shownIndicators(read, (i) => i.id === params.id);
    if (!one) throw notFound();
    return one;
  }),

  serve(calls.addIndicator, (act, { body }) => add(act, body)),
  serve(calls.editIndicator, (act, { params, body }) => edit(act, params.id, body)),
  serve(calls.deleteIndicator, async (act, { params, query }) => {
    await remove(act, params.id, query.version);
    return null;
  }),
  serve(calls.enableIndicator, (act, { params, body }) => switchTo(act, "enable", params.id, body.version)),
  serve(calls.disableIndicator, (act, { params, body }) => switchTo(act, "disable", params.id, body.version)),
  serve(calls.orderIndicators, async (act, { body }) => {
    await order(act, body.ids);
    return null;
  }),

  serveRead(calls.tryIndicator, async (read, { body }) => {
    inScope(read.who, body.villageId);
    const { code, ...given } = body.indicator;
    const { indicator, all } = await indicatorFrom(read, given, await knownAs(read, code));
    return drillOf(read, indicator, [indicator, ...all.filter((i) => i.id !== indicator.id)], body);
  }),
];

/** The indicator that has this code already, else one that nothing else is. */
async function knownAs(read: Parameters<typeof shownIndicators>[0], code: string) {
  const [one] = await shownIndicators(read, (i) => i.code === code);
  return { id: one?.id ?? 0, code };
}
