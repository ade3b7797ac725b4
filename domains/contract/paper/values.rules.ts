import { chineseYuan, yuan } from "../../../platform/kernel/fen.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import { termText } from "../schedule/months.rules.ts";
import { type Values, blocksOf } from "../template/blocks.rules.ts";
import { type Piece, elements } from "../template/html.rules.ts";
import { filledLine, isText } from "../template/palette.rules.ts";
import { FEE_KIND_WORDS } from "../terms/terms.contract.ts";
import { payTextOf } from "../terms/terms.rules.ts";
import { breachClauses, depositClause, rentClauses } from "./clause.rules.ts";
import {
  BLANK,
  type PaperFacts,
  USE,
  billRows,
  footOf,
  otherFees,
  placeClauses,
  roomWords,
  sidesOf,
  unsigned,
} from "./paper.rules.ts";

/** What the fields of a template stand for in this contract. */
export function valuesOf(f: PaperFacts): Values {
  const { terms, lessee, lessor } = f;
  const { totals } = f.plan;
  const rent = f.rents[0]?.rent ?? 0;
  const monthly = terms.fees.reduce((sum, fee) => sum + (fee.kind === "recurring" ? fee.amount : 0), 0);
  const [company, customer] = sidesOf(f);
  const names = f.rooms.map((room) => room.name);
  const some = (text: string) => text || BLANK;
  return {
    texts: {
      合同编号: f.contractNo,
      签约日期: f.signedOn ?? "____年__月__日",
      起租日: f.start,
      到期日: f.end,
      租期: termText(f.start, f.end),
      付款方式: payTextOf(terms),
      月租金: yuan(rent),
      月租金大写: chineseYuan(rent),
      押金: yuan(totals.deposit),
      押金大写: chineseYuan(totals.deposit),
      签约应收: yuan(totals.atSigning),
      签约应收大写: chineseYuan(totals.atSigning),
      合同总额: yuan(totals.contractTotal),
      合同总额大写: chineseYuan(totals.contractTotal),
      补充约定: terms.policyNote || "无",
      门店: f.store,
      门店地址: some(lessor.address),
      房间: roomWords(f.kind, f.rooms),
      房间数: String(f.rooms.length),
      用途: USE[f.kind],
      客户名称: lessee.name,
      客户证件: some(lessee.certificate),
      客户电话: some(lessee.phone),
      监护人: lessee.guardian || "无",
      客户信用代码: some(lessee.creditCode),
      法定代表人: some(lessee.legalName),
      客户联系人: some(lessee.contactName),
      客户地址: some(lessee.address),
      企业名称: lessor.name,
      企业信用代码: some(lessor.creditCode),
      企业地址: some(lessor.address),
      企业电话: some(lessor.phone),
      每月费用合计: yuan(monthly),
      每月费用合计大写: chineseYuan(monthly),
    },
    clauses: {
      租赁条款: placeClauses(f),
      租金条款: rentClauses(terms, f.rents, names),
      押金条款: [depositClause(totals.deposit)],
      费用条款: otherFees(terms),
      违约条款: breachClauses(terms),
    },
    tables: {
      账单表: billRows(f),
      费用表: {
        columns: [
          { title: "费用", width: 160 },
          { title: "收取方式", width: 120 },
          { title: "金额（元）", width: 95, right: true },
          { title: "起止", width: 120 },
        ],
        rows: terms.fees.map((fee) => [
          fee.name,
          FEE_KIND_WORDS[fee.kind][0],
          yuan(fee.amount),
          fee.fromDate || fee.toDate ? `${fee.fromDate ?? f.start} 至 ${fee.toDate ?? f.end}` : "整个租期",
        ]),
      },
      房间表: {
        columns: [
          { title: "序号", width: 45 },
          { title: "房间", width: 220 },
          { title: "面积（平方米）", width: 110, right: true },
          { title: "月租金（元）", width: 120, right: true },
        ],
        rows: f.rooms.map((room, i) => [
          String(i + 1),
          room.name,
          room.area ?? "—",
          yuan(f.rents[0]?.rooms[i] ?? room.monthlyRent),
        ]),
        sums: ["", "合计", "", yuan(rent)],
      },
      入住人表: {
        columns: [
          { title: "姓名", width: 165 },
          { title: "与承租人关系", width: 165 },
          { title: "联系电话", width: 165 },
        ],
        rows: f.occupants.map((o) => [o.name, o.relation || "—", o.phone || "—"]),
      },
    },
    holds: {
      有免租: terms.rentFree.length > 0,
      有递增: f.rents.length > 1,
      有押金: totals.deposit > 0,
      无押金: totals.deposit === 0,
      有费用: terms.fees.length > 0,
      无费用: terms.fees.length === 0,
      有同住人: f.occupants.length > 0,
      多个房间: f.rooms.length > 1,
      有监护人: lessee.guardian !== "",
      有补充约定: terms.policyNote !== "",
      按营业额: (terms.turnover?.rentKind ?? "fixed") !== "fixed",
    },
    sides: { 企业印章: company!, 客户签字: customer! },
    signedOn: f.signedOn ?? "",
  };
}

/** A version of a template, as it was read. */
export type Wording = { pieces: readonly Piece[]; head: string; foot: string };

/** The lease in the words of a template. */
export function templatePaper(f: PaperFacts, { pieces, head, foot }: Wording): Paper {
  const values = valuesOf(f);
  const seam = [...elements(pieces)].some((el) => el.name === "骑缝章");
  return {
    blocks: blocksOf(pieces, values),
    head: filledLine(head, values.texts),
    foot: [footOf(f), filledLine(foot, values.texts)],
    mark: unsigned(f),
    seam,
  };
}

/** Fields that a template uses and this contract leaves to be written by hand. */
export const missingIn = (f: PaperFacts, used: readonly string[]): string[] => {
  const { texts } = valuesOf(f);
  return used.filter((name) => isText(name) && texts[name] === BLANK);
};
