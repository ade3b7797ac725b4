import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addVersion, deleteVersion, editVersion, listVersions } from "./version.contract.ts";

const noted = (act: Act, id: number, action: string, version: string, before?: object, after?: object) =>
  act.note({
    kind: "versionNote",
    recordId: id,
    number: version,
    action,
    summary: `${action}版本说明 ${version}`,
    before,
    after,
  });

const found = async ({ tx }: Act, id: number) => {
  const row = await tx
    .selectFrom("versionNote")
    .select(["version", "type", "module", "content"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
};

export default [
  serveRead(listVersions, async ({ tx }, { query }) => {
    const order = query.order ?? "desc";
    const some = tx
      .selectFrom("versionNote")
      .$if(!!query.version, (q) => q.where("version", "ilike", containing(query.version!)))
      .$if(!!query.module, (q) => q.where("module", "ilike", containing(query.module!)))
      .$if(!!query.type, (q) => q.where("type", "ilike", containing(query.type!)))
      .$if(!!query.from, (q) => q.where(sql<boolean>`release_time >= ${query.from}::date`))
      .$if(!!query.to, (q) => q.where(sql<boolean>`release_time < ${addDays(query.to!, 1)}::date`));
    const [list, counted] = await Promise.all([
      query.want === "totals"
        ? []
        : some
            .select(["id", "version", "type", "module", "content"])
            .select(sql<string>`to_char(release_time, 'YYYY-MM-DD HH24:MI:SS')`.as("releaseTime"))
            .orderBy("versionNote.releaseTime", order)
            .orderBy("id", order)
            .limit(query.pageSize)
            .offset((query.pageNo - 1) * query.pageSize)
            .execute(),
      query.want === "rows"
        ? null
        : some.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    ]);
    return { list, total: counted?.n ?? null };
  }),

  serve(addVersion, async (act, { body }) => {
    const { id } = await act.tx
      .insertInto("versionNote")
      .values({ ...body, createdBy: act.who.operatorId })
      .returning("id")
      .executeTakeFirstOrThrow();
    await noted(act, id, "新增", body.version, undefined, body);
    return { id };
  }),

  serve(editVersion, async (act, { body: { id, ...note } }) => {
    const before = await found(act, id);
    await act.tx
      .updateTable("versionNote")
      .set({ ...note, updatedAt: act.now.toISOString() })
      .where("id", "=", id)
      .execute();
    await noted(act, id, "编辑", note.version, before, note);
    return { id };
  }),

  serve(deleteVersion, async (act, { params: { id } }) => {
    const before = await found(act, id);
    await act.tx.deleteFrom("versionNote").where("id", "=", id).execute();
    await noted(act, id, "删除", before.version, before);
    return null;
  }),
];
