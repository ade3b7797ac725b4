import { yuan } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { Importer } from "../../system/import/importer.service.ts";
import { makeBills, type NewBill } from "../bill/bill.service.ts";
import { lateFeeTermsOf } from "../setting/setting.service.ts";
import { checkBills, type Bills, type Found } from "./check.service.ts";
import { COLUMNS } from "./columns.rules.ts";

export const BILLS: Importer<Bills, object> = {
  table: "billImport",
  letters: "DR",
  needs: "#2605",
  whose: "sender",
  naming: true,
  things: "账单",
  counter: "笔",
  record: "账单",
  columns: async () => COLUMNS,
  megabytes: 30,
  template: { example: COLUMNS.map((column) => column.example).join("　") },
  place: async () => ({}),
  sameFile: "anybody",
  check: checkBills,
  kept: (found) => ({ amount: found?.amount ?? 0, villageIds: found?.villageIds ?? [] }),
  make: async (act, { rows, amount }, { id, number }) => {
    const bills = await newBills(act, rows, id);
    const made = await makeBills(act, bills);
    await act.note(
      made.map((bill, i) => ({
        kind: "bill",
        recordId: bill.id,
        number: bill.billNo,
        villageId: bills[i]!.villageId,
        action: "导入",
        summary: `导入账单 ${yuan(rows[i]!.typed.amount)}（${number} 第 ${rows[i]!.row.number} 行）`,
      })),
    );
    return { count: made.length, told: `导入账单 ${made.length} 笔，合计 ${yuan(amount)}` };
  },
};

async function newBills(act: Act, rows: readonly Found[], importId: number): Promise<NewBill[]> {
  const terms = new Map<number, Awaited<ReturnType<typeof lateFeeTermsOf>>>();
  for (const { villageId } of rows)
    if (!terms.has(villageId)) terms.set(villageId, await lateFeeTermsOf(act, villageId));
  return rows.map(({ typed, subject, villageId, roomId, contractId, partyId }): NewBill => {
    const { from, to, dueDate, amount, remark } = typed;
    return {
      villageId,
      roomId,
      contractId,
      partyId,
      title: subject.name,
      dueDate,
      periodStart: from,
      periodEnd: to,
      source: "import",
      sourceId: importId,
      remark,
      ...terms.get(villageId)!,
      lines: [
        {
          subject: subject.id,
          roomId,
          amount,
          periodStart: from,
          periodEnd: to,
          slices: [{ from, to, amount }],
          explain: { rule: "manual", quantity: "1", price: amount },
        },
      ],
    };
  });
}
