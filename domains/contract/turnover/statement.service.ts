import { contractNote } from "../contract/record.queries.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { attachFiles, filesOf, moveFiles } from "../../system/file/file.service.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { monthRefusal, STATEMENT_MOVES, type STATEMENT_SOURCES } from "./statement.rules.ts";
import { shopOf, statementFor, statementsOf, type Shop, type Statement } from "./statement.queries.ts";

constraintSays("sales_statement_month", { field: "monthNo", msg: "该月已申报，请更正" });
constraintSays("sales_statement_stays", { msg: "已确认的营业额不能修改，请退回更正" });

/** Of a statement, in logs and approvals. */
export const SALES = "salesStatement";

export type Figures = { gross: Fen; refunds: Fen; excluded: Fen };
export const netOf = ({ gross, refunds, excluded }: Figures): Fen => gross - refunds - excluded;

export const noteShop = (act: Act, shop: Shop, action: string, summary: string, more: object = {}) =>
  act.note(contractNote(shop, action, summary, more));

export const monthName = (s: { fromDate: string }) => s.fromDate.slice(0, 7);

type New = Figures & { note: string; submit: boolean; fileIds?: readonly number[] };

/** Who opens the papers of a statement: slips and exports of the till. */
export const SALES_READERS = ["107.get", "106.get"] as const;
const attach = (act: Act, { villageId }: Shop, targetId: number, fileIds: readonly number[]) =>
  attachFiles(act, fileIds, { targetKind: SALES, targetId, villageId, needs: SALES_READERS });

/** Declares a month that has ended; what was only estimated for it gives way. */
export async function declare(
  act: Act,
  {
    contractId,
    monthNo,
    note,
    submit,
    fileIds = [],
    ...figures
  }: New & { contractId: number; monthNo: number },
  source: keyof typeof STATEMENT_SOURCES = "declared",
  importId: number | null = null,
): Promise<number> {
  const shop = await shopOf(act, contractId, true);
  const month = shop.months.find((m) => m.no === monthNo);
  const why = monthRefusal(month, act.today);
  if (why || !month) throw invalid({ field: "monthNo", msg: why ?? "" });
  const guess = (await statementsOf(act, contractId)).find(
    (s) => s.monthNo === monthNo && s.source === "estimated" && s.state === "submitted",
  );
  if (guess) {
    await refuseFrozen(act, SALES, [guess.id]);
    await setState(act, guess, "corrected");
  }
  const { id } = await act.tx
    .insertInto("salesStatement")
    .values({
      contractId,
      villageId: shop.villageId,
      monthNo,
      fromDate: month.from,
      toDate: month.to,
      ...figures,
      note,
      source,
      state: submit ? "submitted" : "draft",
      correctsId: guess?.id ?? null,
      importId,
      fileIds: [...fileIds],
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await attach(act, shop, id, fileIds);
  const word = source === "estimated" ? "暂估营业额" : "申报营业额";
  await noteShop(act, shop, word, `${month.from.slice(0, 7)} ${word} ${yuan(netOf(figures))} 元`);
  return id;
}

async function setState(act: Act, { id, version }: Statement, state: Statement["state"], more: object = {}) {
  await revise(act, "salesStatement", { id, version }, { ...more, state, ...stamp(act) });
}

/** The statement as whoever acts last saw it. */
async function forChange(act: Act, id: number, version: number) {
  const found = await statementFor(act, id, true);
  await refuseFrozen(act, SALES, [id]);
  asSeen(found.statement, version);
  return found;
}
const at = (s: Statement) => ({ status: s.state });

/** Files are left as they are where none are sent. */
export async function edit(
  act: Act,
  id: number,
  { version, submit, fileIds, ...typed }: New & { version: number },
) {
  const { shop, statement } = await forChange(act, id, version);
  STATEMENT_MOVES.next("edit", at(statement));
  const source = statement.source === "estimated" ? "declared" : statement.source;
  await setState(act, statement, submit ? "submitted" : "draft", {
    ...typed,
    source,
    ...(fileIds && { fileIds: [...fileIds] }),
  });
  if (fileIds) await attach(act, shop, id, fileIds);
  await noteShop(
    act,
    shop,
    "修改营业额",
    `${monthName(statement)} 营业额净额 ${yuan(statement.net)} → ${yuan(netOf(typed))} 元`,
  );
}

export async function submitOne(act: Act, id: number, version: number) {
  const { shop, statement } = await forChange(act, id, version);
  await setState(act, statement, STATEMENT_MOVES.next("submit", at(statement)));
  await noteShop(act, shop, "提交营业额", `${monthName(statement)} 营业额 ${yuan(statement.net)} 元提交确认`);
}

export async function remove(act: Act, id: number, version: number) {
  const { shop, statement } = await forChange(act, id, version);
  STATEMENT_MOVES.next("remove", at(statement));
  if (statement.correctsId) throw new Refusal("notAllowed", "更正中的营业额不能删除，请修改后提交");
  await act.tx.deleteFrom("salesStatement").where("id", "=", id).execute();
  await noteShop(act, shop, "删除营业额", `删除 ${monthName(statement)} 营业额草稿`);
}

/**
 * Back to whoever declared it: as it is while it waits, as a new statement once it was confirmed, with what was brought for it. Answers
 * the one to put right.
 */
export async function correct(act: Act, id: number, reason: string, version: number): Promise<number> {
  const { shop, statement } = await forChange(act, id, version);
  const to = STATEMENT_MOVES.next("correct", at(statement));
  const named = `${monthName(statement)} 营业额 ${yuan(statement.net)} 元退回更正：${reason}`;
  await setState(act, statement, to, to === "draft" ? { reason } : {});
  await noteShop(act, shop, "退回更正营业额", named);
  if (to === "draft") return id;
  const { contractId, villageId, monthNo, fromDate, toDate, gross, refunds, excluded, note } = statement;
  const brought = (await filesOf(act, SALES, [id])).get(id) ?? [];
  const fileIds = brought.map((file) => file.id).filter((file) => statement.fileIds.includes(file));
  const { id: next } = await act.tx
    .insertInto("salesStatement")
    .values({
      contractId,
      villageId,
      monthNo,
      fromDate,
      toDate,
      gross,
      refunds,
      excluded,
      note,
      reason,
      source: "declared",
      state: "draft",
      correctsId: id,
      fileIds,
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await moveFiles(
    act,
    fileIds,
    { targetKind: SALES, targetId: id },
    { targetKind: SALES, targetId: next, villageId, needs: SALES_READERS },
  );
  return next;
}

/** In arrears: as many days after the confirmation as the first rent has after signing. */
export const dueAfter = (read: Pick<Read, "today">, shop: Shop) =>
  addDays(read.today, shop.terms.due.firstDueDays ?? 0);
