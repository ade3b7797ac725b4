import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { containing } from "../../../platform/kernel/like.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { enableApplication, listApplications, refuseApplication } from "./application.contract.ts";
import type { ApplicationState } from "./application.rules.ts";
import { enableApplied, needsPlatform, refuseApplied } from "./application.service.ts";

export default [
  serveRead(listApplications, async (read, { query }) => {
    needsPlatform(read);
    const found = read.tx
      .selectFrom("registerApplication as a")
      .leftJoin("operator as d", "d.id", "a.decidedBy")
      .$if(!!query.state?.length, (q) => q.where("a.state", "in", query.state!))
      .$if(!!query.keyword, (q) =>
        q.where((eb) =>
          eb.or([
            ...(["a.number", "a.companyName", "a.realName", "a.account"] as const).map((column) =>
              eb(column, "ilike", containing(query.keyword!)),
            ),
            eb("a.phone", "=", query.keyword!),
          ]),
        ),
      );
    const [rows, counted] = await Promise.all([
      query.want === "totals"
        ? []
        : found
            .selectAll("a")
            .select(sql<string>`coalesce(d.real_name, '')`.as("decider"))
            .orderBy("a.createdAt", query.order ?? "desc")
            .orderBy("a.id", "desc")
            .limit(query.pageSize)
            .offset((query.pageNo - 1) * query.pageSize)
            .execute(),
      query.want === "rows" ? null : found.select(sql<number>`count(*)`.as("n")).executeTakeFirstOrThrow(),
    ]);
    const list = rows.map((a) => ({
      ...a,
      phone: maskPhone(a.phone),
      state: a.state as ApplicationState,
      decidedBy: a.decider,
    }));
    return { list, total: counted?.n ?? null };
  }),

  serve(enableApplication, async (act, { params, body }) => {
    await enableApplied(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(refuseApplication, async (act, { params, body }) => {
    await refuseApplied(act, params.id, body.version, body.reason);
    return { id: params.id };
  }),
];
