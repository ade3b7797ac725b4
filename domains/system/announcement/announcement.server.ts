import { sql } from "kysely";
import { NEXT_VERSION, revise } from "../../../platform/server/database/versioned.ts";
import { forbidden } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { filesOf } from "../file/file.service.ts";
import {
  addAnnouncement,
  audienceDepartments,
  deleteAnnouncement,
  editAnnouncement,
  getAnnouncement,
  withdrawAnnouncement,
  announcementSaved,
} from "./announcement.contract.ts";
import { announcements, manages, seenAnnouncement } from "./announcement.queries.ts";
import { carry, keptOf, managed, mayDo } from "./announcement.service.ts";

const noted = (act: Act, id: number, action: string, title: string) =>
  act.note({ kind: "announcement", recordId: id, action, summary: `${action}公告“${title}”` });

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
];
