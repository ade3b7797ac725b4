import { sql } from "kysely";
import { forbidden, invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { attachFiles } from "../file/file.service.ts";
import { tell } from "../message/message.service.ts";
import { manages, seenAnnouncement } from "./announcement.queries.ts";
import { cleaned, plainOf, refusal } from "./announcement.rules.ts";

/** An announcement of one's company, for whoever runs it; 403 for everybody else. */
export async function managed(act: Act, id: number) {
  if (!manages(act)) throw forbidden();
  return seenAnnouncement(act, id);
}

export function mayDo(act: "edit" | "withdraw", state: Parameters<typeof refusal>[1]): void {
  const why = refusal(act, state);
  if (why) throw new Refusal("state", why, 409);
}

export type Input = {
  title: string;
  audience: "all" | "villages" | "departments";
  villageIds: number[];
  departmentIds: number[];
  content: string;
  publishAt?: string | null | undefined;
  expireAt?: string | null | undefined;
  pinned: boolean;
  mustConfirm: boolean;
  fileIds: number[];
  state: "draft" | "published";
};

/** What is kept of an input: cleaned, its audience known to the company, its end after its beginning. */
export async function keptOf(act: Act, input: Input, begun?: string) {
  const { who, now } = act;
  villagesOf(who, input.villageIds);
  const departmentIds = [...new Set(input.departmentIds)];
  const known = await act.tx
    .selectFrom("department")
    .select("id")
    .where("id", "=", anyOf(departmentIds))
    .where("enterpriseId", "=", who.enterpriseId)
    .execute();
  if (known.length < departmentIds.length) throw notFound();
  const content = cleaned(input.content);
  if (!content) throw invalid({ field: "content", msg: "请输入公告内容" });
  const publishAt = new Date(input.publishAt ?? begun ?? now).toISOString();
  const expireAt = input.expireAt ? new Date(input.expireAt).toISOString() : null;
  if (expireAt && expireAt <= publishAt) throw invalid({ field: "expireAt", msg: "失效时间须晚于发布时间" });
  const { fileIds: _, ...rest } = input;
  return {
    ...rest,
    content,
    publishAt,
    expireAt,
    villageIds: input.audience === "villages" ? [...new Set(input.villageIds)] : [],
    departmentIds: input.audience === "departments" ? departmentIds : [],
  };
}

/** Its files are the ones given, and no others. */
export async function carry(act: Act, id: number, fileIds: readonly number[]): Promise<void> {
  await act.tx
    .updateTable("storedFile")
    .set({ targetKind: null, targetId: null, createdBy: null })
    .where("targetKind", "=", "announcement")
    .where("targetId", "=", id)
    .where("id", "<>", sql<number>`all(${fileIds as number[]}::bigint[])`)
    .execute();
  await attachFiles(act, fileIds, { targetKind: "announcement", targetId: id });
}

/** Announcements told in one go. */
const AT_A_TIME = 20;

/** Tells the people of every announcement whose time has come, once for each round of reading. */
export async function tellDue(act: Act): Promise<void> {
  const now = act.now.toISOString();
  const due = await act.tx
    .updateTable("announcement")
    .set({ toldAt: now })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("announcement")
        .select("id")
        .where("state", "=", "published")
        .where("toldAt", "is", null)
        .where("deletedAt", "is", null)
        .where("publishAt", "<=", now)
        .where((e) => e.or([e("expireAt", "is", null), e("expireAt", ">", now)]))
        .orderBy("id")
        .limit(AT_A_TIME)
        .forUpdate()
        .skipLocked(),
    )
    .returning(["id", "title", "content", "round", "createdBy", "mustConfirm"])
    .execute();
  for (const a of due) {
    const { rows } = await sql<{ id: number }>`
      select t.id from announcement a, operator t
      where a.id = ${a.id} and t.id <> a.created_by and announcement_reaches(a, t) order by t.id`.execute(
      act.tx,
    );
    await tell(act, {
      to: rows.map((row) => row.id),
      type: 7,
      title: `公告：${a.title}`,
      content: plainOf(a.content),
      bizType: "announcement",
      bizId: a.id,
      ...(a.mustConfirm && { facts: [["要求", "阅读后请确认“我已知悉”"]] }),
      once: `announcement.${a.id}.${a.round}`,
    });
  }
}
