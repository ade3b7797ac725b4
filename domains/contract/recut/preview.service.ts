import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import { type PreviewTable, money, words } from "../../approval/examine/registry.service.ts";
import type { Standing } from "../../finance/setoff/setoff.service.ts";
import type { ContractRecord } from "../contract/record.queries.ts";
import { canonical } from "../schedule/net.rules.ts";
import type { ChangePreview } from "./recut.contract.ts";
import { RECUTS } from "./recut.rules.ts";
import type { Change } from "./joining.rules.ts";
import { type WeighedRecut, hashedRecut } from "./recut.service.ts";

/** What a change comes to, with all that its confirmation needs. */
export type WorkedChange = ChangePreview & { worked: WeighedRecut; change: Change };

/** The preview of a change, with its hash: the same for a trial, for who approves it and for who confirms it. */
export function previewOf(
  kind: string,
  contract: ContractRecord,
  draft: object,
  {
    worked,
    change,
    standing,
    today,
    deposit = 0,
    refund = 0,
    charges = [],
    owed = 0,
    obstacles = [],
    warnings = [],
  }: {
    worked: WeighedRecut;
    change: Change;
    standing: Standing;
    today: Day;
    deposit?: Fen;
    refund?: Fen;
    /** What is charged beside the bills of the plan, and what of it the deposit does not pay. */
    charges?: readonly { title: string; amount: Fen }[];
    owed?: Fen;
    obstacles?: ChangePreview["obstacles"];
    warnings?: string[];
  },
): WorkedChange {
  const { recutting, before, after, credit } = worked;
  const dueNow = worked.dueNow + owed;
  const alone = recutting.alone.reduce((sum, l) => sum + l.amount, 0);
  const bills: ChangePreview["bills"] = recutting.rows.map(({ making: _, ...row }) => ({
    ...row,
    // what is due by a rule whose day has passed is due at once
    dueOn: row.billId === null && row.dueOn !== null && row.dueOn < today ? null : row.dueOn,
  }));
  if (alone)
    bills.push({
      billId: null,
      title: "变更补收",
      periodStart: change.from,
      periodEnd: change.next.end,
      dueOn: null,
      before: 0,
      after: alone,
      done: "add",
    });
  for (const { title, amount } of charges)
    bills.push({
      billId: null,
      title,
      periodStart: change.from,
      periodEnd: change.from,
      dueOn: change.from,
      before: 0,
      after: amount,
      done: "add",
    });
  const net = credit + refund - dueNow;
  const basis = [kind, contract.id, contract.termsVersion, draft, net, deposit, refund];
  return {
    bills,
    before,
    after,
    credit,
    dueNow,
    deposit,
    refund,
    net,
    obstacles: [...worked.obstacles, ...obstacles],
    warnings: [...worked.warnings, ...warnings],
    previewHash: basisHash(canonical([...basis, hashedRecut(worked, standing)])),
    worked,
    change,
  };
}

/** The same without what only the server works with. */
export const shownChange = ({ worked: _w, change: _c, ...preview }: WorkedChange): ChangePreview => preview;

export const changeTables = ({ bills }: ChangePreview): PreviewTable[] => [
  {
    title: "账单变化",
    columns: [
      words("账单"),
      words("计费期"),
      words("应收日"),
      money("原应收"),
      money("变更后"),
      words("处理"),
    ],
    rows: bills.map((b) => [
      b.title,
      `${b.periodStart} 至 ${b.periodEnd}`,
      b.dueOn ?? "签署当日",
      b.before,
      b.after,
      RECUTS[b.done][0],
    ]),
  },
];

/** What approvers read of it. */
export const changeFacts = (p: ChangePreview): (readonly [string, string])[] => [
  ["合同总额", `${yuan(p.before)} → ${yuan(p.after)} 元`],
  ...(p.credit ? [["多收退回", `${yuan(p.credit)} 元`] as const] : []),
  ...(p.dueNow ? [["签署后应收", `${yuan(p.dueNow)} 元`] as const] : []),
  ...(p.refund ? [["应退押金", `${yuan(p.refund)} 元`] as const] : []),
];
