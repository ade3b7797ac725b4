import { invalid, notFound, type FieldError } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import {
  type AgreementType,
  type Block,
  type H5Kind,
  type H5State,
  H5_MOVES,
  blockErrors,
  pagesIn,
  picturesIn,
  plainBlocks,
  plainText,
} from "./block.rules.ts";

constraintSays("h5_page_agreement", { field: "agreementType", msg: "该类型的协议已存在" });

/** A page without content; agreements are the deployment's own and belong to no company. */
export async function createH5(
  act: Act,
  { name, agreementType }: { name: string; agreementType?: AgreementType },
): Promise<number> {
  const { id } = await act.tx
    .insertInto("h5Page")
    .values({
      name,
      kind: agreementType ? "agreement" : "page",
      agreementType: agreementType ?? null,
      enterpriseId: agreementType ? null : act.who.enterpriseId || null,
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** A page that one may change: of one's own company, or of the deployment for whoever runs that. */
async function ownH5(act: Act, id: number) {
  const row = await act.tx
    .selectFrom("h5Page")
    .select(["id", "name", "kind", "state", "enterpriseId", "publishedVersion"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  const { enterpriseId, superType } = act.who;
  if (!row || (superType !== "0" && (row.enterpriseId ?? 0) !== enterpriseId)) throw notFound();
  return { ...row, kind: row.kind as H5Kind, status: row.state as H5State };
}

export type Content = {
  title: string;
  blocks: readonly Block[];
  /** Agreements only: the day from which it holds. */
  effectiveDay?: Day;
};

/** Freezes the content as the next version and shows it; answers the number of the version. */
export async function publishH5(act: Act, id: number, content: Content): Promise<number> {
  const page = await ownH5(act, id);
  const state = H5_MOVES.next("publish", page);
  const title = plainText(content.title);
  const blocks = plainBlocks(content.blocks);
  const errors: FieldError[] = [];
  if (title.length < 2 || title.length > 60) errors.push({ field: "title", msg: "标题长度为2到60个字" });
  errors.push(...blockErrors(page.kind, blocks), ...(await deadEnds(act, page, blocks)));
  const before = await lastVersion(act, id);
  const effectiveDay = page.kind === "agreement" ? content.effectiveDay : undefined;
  if (page.kind === "agreement" && !effectiveDay)
    errors.push({ field: "effectiveDay", msg: "请选择生效日期" });
  if (effectiveDay && before?.effectiveDay && effectiveDay < before.effectiveDay)
    errors.push({ field: "effectiveDay", msg: `生效日期不能早于上一版本（${before.effectiveDay}）` });
  if (errors.length) throw invalid(...errors);

  const number = (before?.number ?? 0) + 1;
  await attachFiles(
    act,
    picturesIn(blocks).map(({ fileId }) => fileId),
    { targetKind: "h5Page", targetId: id, needs: "98.get" },
  );
  await act.tx
    .insertInto("h5Version")
    .values({
      pageId: id,
      number,
      title,
      blocks: JSON.stringify(blocks),
      effectiveDay: effectiveDay ?? null,
      publishedAt: act.now.toISOString(),
      publishedBy: act.who.operatorId || null,
    })
    .execute();
  await setState(act, id, { state, publishedVersion: number });
  await act.note({ kind: "h5Page", recordId: id, action: "发布", summary: `发布${page.name} 第${number}版` });
  return number;
}

/** Takes a page from the phones; its versions stay. */
export async function offlineH5(act: Act, id: number): Promise<void> {
  const page = await ownH5(act, id);
  await setState(act, id, { state: H5_MOVES.next("offline", page) });
  await act.note({ kind: "h5Page", recordId: id, action: "下架", summary: `下架${page.name}` });
}

const setState = (act: Act, id: number, to: { state: H5State; publishedVersion?: number }) =>
  act.tx
    .updateTable("h5Page")
    .set({ ...to, updatedAt: act.now.toISOString(), version: NEXT_VERSION })
    .where("id", "=", id)
    .execute();

const lastVersion = (act: Act, id: number) =>
  act.tx
    .selectFrom("h5Version")
    .select(["number", "effectiveDay"])
    .where("pageId", "=", id)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();

/** Pictures that are nobody's to show, and buttons to pages that nobody can open. */
async function deadEnds(
  act: Act,
  page: { id: number; enterpriseId: number | null },
  blocks: readonly Block[],
): Promise<FieldError[]> {
  const [pictures, links] = [picturesIn(blocks), pagesIn(blocks)];
  const files = await act.tx
    .selectFrom("storedFile")
    .select("id")
    .where("id", "=", anyOf(pictures.map((p) => p.fileId)))
    .where("type", "in", ["image/jpeg", "image/png"])
    .where((eb) =>
      eb.or([
        eb.and([eb("targetKind", "is", null), eb("createdBy", "=", act.who.operatorId)]),
        eb.and([eb("targetKind", "=", "h5Page"), eb("targetId", "=", page.id)]),
      ]),
    )
    .execute();
  const pages = await act.tx
    .selectFrom("h5Page")
    .select("id")
    .where("id", "=", anyOf(links.map((l) => l.pageId)))
    .where("kind", "=", "page")
    .where("state", "=", "published")
    .where((eb) => eb.or([eb("enterpriseId", "is", null), eb("enterpriseId", "=", page.enterpriseId)]))
    .execute();
  const [seen, open] = [new Set(files.map((f) => f.id)), new Set(pages.map((p) => p.id))];
  const no = (at: number, why: string) => ({ field: `blocks.${at}`, msg: `第${at + 1}个区块${why}` });
  return [
    ...pictures.filter((p) => !seen.has(p.fileId)).map((p) => no(p.at, "的图片已失效")),
    ...links.filter((l) => !open.has(l.pageId)).map((l) => no(l.at, "链接的页面不存在或已下线")),
  ];
}
