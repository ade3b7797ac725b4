import { chineseYuan, yuan } from "../../../platform/kernel/fen.ts";
import { type Content } from "../template/blocks.rules.ts";
import { inBoth, type ValuesFor } from "../template/palette.rules.ts";
import { FEE_KIND_WORDS } from "../terms/terms.contract.ts";
import { payTextOf } from "../terms/terms.rules.ts";
import { breachClauses, depositClause, discountClauses, rentClauses } from "./clause.rules.ts";
import { leaseValues } from "./lease.rules.ts";
import {
  BLANK,
  type PaperFacts,
  USE,
  billRows,
  footOf,
  otherFees,
  placeClauses,
  roomWords,
  unsigned,
} from "./paper.rules.ts";

const NONE = "无";

/** What the fields of a template stand for in this contract, those of renewals included. */
export function valuesOf(f: PaperFacts): ValuesFor<"renewal"> {
  const { terms, lessee, previous } = f;
  const { totals } = f.plan;
  const rent = f.rents[0]?.rent ?? 0;
  const monthly = terms.fees.reduce(
    (sum, fee) => (fee.kind === "recurring" && fee.payer !== "occupant" ? sum + fee.amount : sum),
    0,
  );
  const names = f.rooms.map((room) => room.name);
  const lease = leaseValues({ ...f, roomNames: names, rent, deposit: totals.deposit });
  const carried = terms.takeOver?.deposit ?? 0;
  return {
    texts: {
      ...lease.texts,
      付款方式: payTextOf(terms),
      ...inBoth({
        签约应收: totals.atSigning,
        合同总额: totals.contractTotal,
        每月费用合计: monthly,
        转入押金: carried,
      }),
      补充约定: terms.policyNote || NONE,
      房间: roomWords(f.kind, f.rooms),
      用途: USE[f.kind],
      开业日: terms.openOn || NONE,
      原合同编号: previous?.contractNo ?? NONE,
      原起租日: previous?.start ?? NONE,
      原到期日: previous?.end ?? NONE,
      原月租金: previous ? yuan(previous.rent) : NONE,
      原月租金大写: previous ? chineseYuan(previous.rent) : NONE,
    },
    clauses: {
      租赁条款: placeClauses(f),
      租金条款: [...rentClauses(terms, f.rents, names), ...discountClauses(terms)],
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
          fee.payer === "occupant"
            ? "每间每月，入住人付"
            : fee.unitPrice
              ? `每月 ${fee.unitPrice} 元/㎡`
              : FEE_KIND_WORDS[fee.kind][0],
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
      有开业日: Boolean(terms.openOn),
      多个房间: f.rooms.length > 1,
      有监护人: lessee.guardian !== "",
      有补充约定: terms.policyNote !== "",
      有转入押金: carried > 0,
      ...lease.holds,
      按营业额: (terms.turnover?.rentKind ?? "fixed") !== "fixed",
    },
    sides: lease.sides,
    signedOn: f.signedOn ?? "",
  };
}

/** The lease as it is printed in the words of a template. */
export const leaseContent = (f: PaperFacts): Content => ({
  values: valuesOf(f),
  foot: footOf(f),
  mark: unsigned(f),
});

/** Fields that a template uses and this contract leaves to be written by hand. */
export const missingIn = (f: PaperFacts, used: readonly string[]): string[] => {
  const texts: Record<string, string> = valuesOf(f).texts;
  return used.filter((name) => texts[name] === BLANK);
};
