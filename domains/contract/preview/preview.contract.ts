import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { day, id, money, number, room, text } from "../../../platform/kernel/field.ts";
import { contracts } from "../contract/contract.contract.ts";
import { ofAnyKind } from "../terms/kind.rules.ts";

/** A line of the schedule with its explanation as data: rule, inputs, days, formula, rounding. */
const plannedLine = z.object({
  kind: z.enum(["rent", "fee", "discount", "deposit", "once"]),
  feeKey: z.union([z.literal("rent"), z.literal("deposit"), z.number()]),
  subject: text("科目"),
  roomId: id.nullable(),
  from: day("起"),
  to: day("止"),
  amount: money("金额"),
  how: text("计算说明"),
  explain: z.record(z.string(), z.unknown()),
});

export const plannedBill = z.object({
  key: z.string(),
  kind: z.enum(["deposit", "rent", "fee", "once"]),
  periodNo: number("期次"),
  title: text("账单"),
  periodStart: day("计费期起"),
  periodEnd: day("计费期止"),
  /** null = on the day of signing. */
  dueOn: day("应收日").nullable(),
  amount: money("金额"),
  lines: z.array(plannedLine),
});

export const previewReply = z.object({
  act: z.enum(["sign"]),
  contractId: id,
  version: z.number().int(),
  added: z.array(plannedBill),
  /** What the lines' rooms are called. */
  rooms: z.array(z.object({ roomId: id, name: room("房间") })),
  deposit: z.object({ before: money("原押金"), after: money("押金") }),
  totals: z.object({
    atSigning: money("签约应收"),
    contractTotal: money("合同总额"),
    deposit: money("押金"),
    firstRent: money("首期租金"),
    rent: money("租金"),
    fees: money("费用"),
    forgone: money("免租金额"),
    netMonthlyRent: money("折后月租"),
  }),
  /** Null for who may not see the lowest price. */
  lowestPrice: money("底价").nullable(),
  /** What will refuse the contract as things stand, and what is only worth a look. */
  obstacles: z.array(z.object({ code: z.string(), msg: z.string() })),
  warnings: z.array(z.string()),
  /** Who hands it in is asked about this first; null when there is nothing to ask. */
  unverified: z.string().nullable(),
  /** The nodes that it waits at once it is handed in; none where it goes to its signing at once. */
  waitsAt: z.array(z.string()),
  previewHash: z.string(),
});
export type Preview = z.input<typeof previewReply>;

export const previewContract = call({
  method: "POST",
  path: "/contract/api/v3/contract/preview",
  summary: "合同账单试算",
  needs: ofAnyKind("add", "edit", "sign"),
  effect: "read",
  target: "contract",
  body: z.object({ id }),
  reply: previewReply,
});

/** The bills of the preview, line by line, as a workbook. */
export const previewBook = contracts.get("/:id/preview/bills", "导出账单明细", previewContract.needs, {
  target: "contract",
});
