import { allows } from "../../../platform/kernel/call.ts";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  businessExport,
  businessKinds,
  getBusiness,
  listBusiness,
  recordHistory,
  type BusinessQuery,
} from "./business-log.contract.ts";
import { business, inScope, lineOf, linesOf } from "./business-log.queries.ts";
import { KIND_TITLES, kindNeeds } from "./kinds.rules.ts";

type Lines = ReturnType<typeof inScope>;
type Paging = {
  want: "both" | "rows" | "totals";
  pageNo: number;
  pageSize: number;
  order?: "asc" | "desc" | undefined;
};

async function page(lines: Lines, query: Paging) {
  const [rows, counted] = await Promise.all([
    query.want === "totals"
      ? []
      : linesOf(lines, query.order)
          .limit(query.pageSize)
          .offset((query.pageNo - 1) * query.pageSize)
          .execute(),
    query.want === "rows"
      ? null
      : lines.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
  ]);
  return { list: rows.map((raw) => lineOf(raw)), total: counted?.n ?? null };
}

export default [
  serveRead(businessKinds, async () => KIND_TITLES),
  serveRead(listBusiness, (read, { query }) => page(business(read, query), query)),
  exportList(businessExport, {
    rows: (read, query: BusinessQuery) => linesOf(business(read, query), query.order),
    row: (raw) => lineOf(raw),
  }),
  serveRead(getBusiness, async (read, { params }) => {
    const line = await linesOf(inScope(read).where("l.id", "=", params.id)).executeTakeFirst();
    if (!line) throw notFound();
    return lineOf(line);
  }),
  serveRead(recordHistory, (read, { params, query }) => {
    if (!allows(read.who.permits, kindNeeds(params.kind))) throw forbidden();
    const lines = inScope(read).where("l.kind", "=", params.kind).where("l.recordId", "=", params.recordId);
    return page(lines, query);
  }),
];
