import { sql } from "kysely";
import type { z } from "zod";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import { amongWords, is } from "../../../platform/server/lists/conditions.ts";
import { listOf, serveList } from "../../../platform/server/lists/list.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { manages, reachesMe, seenAnnouncement } from "./announcement.queries.ts";
import {
  announcementFile,
  confirmAnnouncement,
  listReaders,
  readAnnouncement,
  readersExport,
} from "./announcement.contract.ts";

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
      .executeTakeFirst();
    if (!file) throw notFound();
    return { name: file.name, type: file.type, body: await read.files.open(file.storageKey) };
  }),
];
