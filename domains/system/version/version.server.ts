import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { fromDay, phrase, toDay } from "../../../platform/server/lists/conditions.ts";
import { listOf, serveList } from "../../../platform/server/lists/list.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { addVersion, deleteVersion, editVersion, listVersions, type versionRow } from "./version.contract.ts";

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
    .executeTakeFirstOrThrow(notFound);
  return row;
};

const versions = listOf(listVersions, {
  id: "n.id",
  from: sql`version_note n`,
  where: {
    version: phrase("n.version"),
    module: phrase("n.module"),
    type: phrase("n.type"),
    from: fromDay("n.release_time"),
    to: toDay("n.release_time"),
  },
  sort: { releaseTime: { by: "n.release_time", indexed: true } },
  order: "releaseTime",
  columns: sql<z.input<typeof versionRow>>`n.id, n.version, n.type, n.module, n.content,
    to_char(n.release_time, 'YYYY-MM-DD HH24:MI:SS') "releaseTime"`,
  join: sql`join version_note n on n.id = page.id`,
});

export default [
  serveList(versions),

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
