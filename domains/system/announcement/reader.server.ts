import { sql } from "kysely";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addressedTo, manages, seenAnnouncement } from "./announcement.queries.ts";
import type { ReadState } from "./announcement.rules.ts";
import {
  announcementFile,
  confirmAnnouncement,
  listReaders,
  readAnnouncement,
  readersExport,
} from "./reader.contract.ts";

const STATE = sql<ReadState>`case when x.confirmed_at is not null then 'confirmed'
  when x.read_at is not null then 'read' else 'unread' end`;

/** Whom an announcement is for, its author apart. */
const readersOf = ({ tx }: Read, id: number) =>
  tx
    .selectFrom("announcement as a")
    .innerJoin("operator as o", (join) =>
      join.onRef("o.id", "<>", "a.createdBy").on(sql<boolean>`announcement_reaches(a, o)`),
    )
    .leftJoin("announcementRead as x", (join) =>
      join.onRef("x.announcementId", "=", "a.id").onRef("x.operatorId", "=", "o.id"),
    )
    .where("a.id", "=", id);

/** Reading and confirming: once each, by those it is for. */
async function mark(act: Act, id: number, confirmed: boolean): Promise<null> {
  const { operatorId } = act.who;
  const mine = await addressedTo(act).where("a.id", "=", id).select("a.id").executeTakeFirst();
  if (!mine) throw notFound();
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
  serveRead(listReaders, async (read, { params: { id }, query }) => {
    if (!manages(read)) throw forbidden();
    await seenAnnouncement(read, id);
    const found = readersOf(read, id).$if(!!query.readState?.length, (q) =>
      q.where(STATE, "in", query.readState!),
    );
    const order = query.order ?? "asc";
    const [list, counted] = await Promise.all([
      query.want === "totals"
        ? []
        : found
            .select(["o.id", "o.realName as name", "x.readAt", "x.confirmedAt"])
            .select(STATE.as("readState"))
            .select(
              sql<string>`coalesce((select string_agg(distinct d.name, '、') from operator_assignment g
                join department d on d.id = g.department_id where g.operator_id = o.id), '')`.as(
                "departments",
              ),
            )
            .orderBy("x.confirmedAt", (o) => o.desc().nullsFirst())
            .orderBy("x.readAt", (o) => o.desc().nullsFirst())
            .orderBy(sql`o.real_name collate "zh-x-icu"`, order)
            .orderBy("o.id")
            .limit(query.pageSize)
            .offset((query.pageNo - 1) * query.pageSize)
            .execute(),
      query.want === "rows"
        ? null
        : found.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    ]);
    return { list, total: counted?.n ?? null };
  }),
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
