import { sql } from "kysely";
import type { z } from "zod";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION, revise } from "../../../platform/server/database/versioned.ts";
import { amongWords, is } from "../../../platform/server/lists/conditions.ts";
import { listOf, serveList } from "../../../platform/server/lists/list.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { filesOf } from "../file/file.service.ts";
import {
  addAnnouncement,
  announcementFile,
  announcementSaved,
  audienceDepartments,
  confirmAnnouncement,
  deleteAnnouncement,
  editAnnouncement,
  getAnnouncement,
  listReaders,
  readAnnouncement,
  readersExport,
  withdrawAnnouncement,
} from "./announcement.contract.ts";
import { announcements, manages, reachesMe, seenAnnouncement } from "./announcement.queries.ts";
import { carry, keptOf, managed, mayDo } from "./announcement.service.ts";

const noted = (act: Act, id: number, action: string, title: string) =>
  act.note({ kind: "announcement", recordId: id, action, summary: `${action}公告“${title}”` });

const STATE = sql`case when x.confirmed_at is not null then 'confirmed'
  when x.read_at is not null then 'read' else 'unread' end`;

/** Whom an announcement is for, its author apart. */
const readers = listOf(listReaders, {
  id: "o.id",
  from: sql`announcement a join operator o on o.id <> a.created_by and announcement_reaches(a, o)
    left join announcement_read x on x.announcement_id = a.id and x.operator_id = o.id`,
  where: {
    id: async (id, read) => {
      if (!manages(read)) throw forbidden();
      await seenAnnouncement(read, id);
      return is("a.id")(id);
    },
    readState: amongWords(STATE),
  },
  sort: {
    name: {
      order: (way) =>
        sql`x.confirmed_at desc nulls first, x.read_at desc nulls first, o.real_name collate "zh-x-icu" ${way}, o.id`,
    },
  },
  order: "name",
  columns: sql<
    z.input<typeof listReaders.reply.shape.list.element>
  >`o.id, o.real_name "name", x.read_at "readAt",
    x.confirmed_at "confirmedAt", ${STATE} "readState",
    coalesce((select string_agg(distinct d.name, '、') from operator_assignment g
      join department d on d.id = g.department_id where g.operator_id = o.id), '') departments`,
  join: (_read, { id }) => sql`join operator o on o.id = page.id
    left join announcement_read x on x.announcement_id = ${id} and x.operator_id = o.id`,
});

/** Reading and confirming: once each, by those it is for. */
async function mark(act: Act, id: number, confirmed: boolean): Promise<null> {
  const { operatorId } = act.who;
  if (!(await reachesMe(act, id))) throw notFound();
  const at = act.now.toISOString();
  await act.tx
    .insertInto("announcementRead")
    .values({ announcementId: id, operatorId, readAt: at, confirmedAt: confirmed ? at : null })
    .onConflict((c) =>
      confirmed
        ? c.columns(["announcementId", "operatorId"]).doUpdateSet({
            confirmedAt: sql`coalesce(announcement_read.confirmed_at, excluded.confirmed_at)`,
          })
        : c.doNothing(),
    )
    .execute();
  return null;
}

export default [
  serveList(announcements),

  serveRead(audienceDepartments, async (read) => {
    if (!manages(read)) throw forbidden();
    return read.tx
      .selectFrom("department")
      .select(["id", "name"])
      .where("enterpriseId", "=", read.who.enterpriseId)
      .orderBy("orderNum")
      .orderBy("id")
      .execute();
  }),

  serveRead(getAnnouncement, async (read, { params: { id } }) => {
    const row = await seenAnnouncement(read, id);
    return { ...row, files: (await filesOf(read, "announcement", [id])).get(id) ?? [] };
  }),

  serve(addAnnouncement, async (act, { body }) => {
    if (!manages(act)) throw forbidden();
    const { enterpriseId, operatorId } = act.who;
    const { id } = await act.tx
      .insertInto("announcement")
      .values({ ...(await keptOf(act, body)), enterpriseId, createdBy: operatorId })
      .returning("id")
      .executeTakeFirstOrThrow();
    await carry(act, id, body.fileIds);
    await noted(act, id, body.state === "draft" ? "起草" : "发布", body.title);
    await act.emit(announcementSaved, { id });
    return { id };
  }),

  serve(editAnnouncement, async (act, { params: { id }, body }) => {
    const before = await managed(act, id);
    mayDo("edit", before.state);
    const { version, resetRead, ...input } = body;
    // what is published stays so, and keeps its moment unless another is given
    const state = before.state === "draft" ? input.state : "published";
    const begun = before.state === "draft" ? undefined : before.publishAt;
    const kept = await keptOf(act, { ...input, state }, begun);
    await revise(
      act,
      "announcement",
      { id, version },
      {
        ...kept,
        updatedAt: act.now.toISOString(),
        ...(resetRead && { toldAt: null, round: sql<number>`round + 1` }),
      },
    );
    if (resetRead) await act.tx.deleteFrom("announcementRead").where("announcementId", "=", id).execute();
    await carry(act, id, body.fileIds);
    await noted(act, id, state === "published" && before.state === "draft" ? "发布" : "编辑", body.title);
    await act.emit(announcementSaved, { id });
    return { id };
  }),

  serve(withdrawAnnouncement, async (act, { params: { id } }) => {
    const { title, state } = await managed(act, id);
    mayDo("withdraw", state);
    await act.tx
      .updateTable("announcement")
      .set({ state: "withdrawn", version: NEXT_VERSION, updatedAt: act.now.toISOString() })
      .where("id", "=", id)
      .execute();
    await noted(act, id, "撤回", title);
    return null;
  }),

  serve(deleteAnnouncement, async (act, { params: { id } }) => {
    const { title } = await managed(act, id);
    await act.tx
      .updateTable("announcement")
      .set({ deletedAt: act.now.toISOString(), version: NEXT_VERSION })
      .where("id", "=", id)
      .execute();
    await noted(act, id, "删除", title);
    return null;
  }),
  serveList(readers),
  exportList(readersExport),

  serve(readAnnouncement, (act, { params }) => mark(act, params.id, false)),
  serve(confirmAnnouncement, (act, { params }) => mark(act, params.id, true)),

  serveRead(announcementFile, async (read, { params }) => {
    await seenAnnouncement(read, params.id);
    const file = await read.tx
      .selectFrom("storedFile")
      .select(["name", "type", "storageKey"])
      .where("id", "=", params.fileId)
      .where("targetKind", "=", "announcement")
      .where("targetId", "=", params.id)
      .executeTakeFirstOrThrow(notFound);
    return { name: file.name, type: file.type, body: await read.files.open(file.storageKey) };
  }),
];
