import { createHash } from "node:crypto";
import { NEXT_VERSION, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { propose, refuseFrozen } from "../../approval/examine/propose.service.ts";
import { approves, money, words } from "../../approval/examine/registry.service.ts";
import { makeBills, type NewBill } from "../../finance/bill/bill.service.ts";
import { adjustLines } from "../../finance/bill-acts/adjust.service.ts";
import { shareOf } from "../signing/bills.rules.ts";
import { OUTSIDE, type Reckoned, STATEMENT_MOVES, reckon, ruleOf, yearOf } from "./statement.rules.ts";
import { bandParts, partText, yearParts } from "../terms/turnover-share.rules.ts";
import {
  chargedLines,
  shopOf,
  statementFor,
  statementsOf,
  type Shop,
  type Statement,
} from "./statement.queries.ts";
import { dueAfter, monthName, netOf, noteShop, SALES, type Figures } from "./statement.service.ts";

type Found = { shop: Shop; all: Statement[]; statement: Statement };
/** A month that is to be closed, declared already or not. */
type Closing = Omit<Found, "statement"> & { statement: Figures & Pick<Statement, "id" | "monthNo"> };

function weigh(read: Read, { shop, all, statement }: Closing, audited: Figures | null | undefined) {
  const figures = audited ?? statement;
  const net = netOf(figures);
  const month = shop.months.find((m) => m.no === statement.monthNo);
  if (!month) throw new Refusal("notAllowed", OUTSIDE);
  const { turnover } = shop.terms;
  const reckoned = reckon(turnover, shop.months, all, { ...statement, net });
  const { own, before, charged, change, complete } = reckoned;
  const rule = ruleOf(turnover);
  const yearly = complete && rule.settleBasis === "year" ? "本年各月已齐，按年结算" : "";
  const said = change < 0 ? `冲减已出补差 ${yuan(-change)} 元` : change ? "" : "保底已覆盖，不出账";
  const preview = {
    net,
    base: month.base,
    share: own.share,
    topUp: own.topUp,
    parts:
      rule.bandBasis === "month"
        ? bandParts(rule, net, month.weight).map(partText)
        : yearParts(rule, before, net),
    charged,
    change,
    dueDate: change > 0 ? dueAfter(read, shop) : null,
    note: [yearly, said].filter(Boolean).join("，"),
    hash: createHash("sha256")
      .update(JSON.stringify([statement.id, figures.gross, net, month.base, own, charged, change]))
      .digest("hex"),
  };
  return { figures, month, reckoned, preview };
}

/** What confirming would bill, from the same figures that confirming uses. */
export async function previewConfirm(read: Read, id: number, audited: Figures | null | undefined) {
  const found = await statementFor(read, id);
  STATEMENT_MOVES.next("confirm", { status: found.statement.state });
  return weigh(read, found, audited).preview;
}

/** What a month would cost at a turnover that is typed. */
export async function trial(
  read: Read,
  { contractId, monthNo, ...figures }: Figures & { contractId: number; monthNo: number },
) {
  const shop = await shopOf(read, contractId);
  if (!shop.months.some((m) => m.no === monthNo)) throw invalid({ field: "monthNo", msg: OUTSIDE });
  const all = await statementsOf(read, contractId);
  const { net, base, share, topUp, parts } = weigh(
    read,
    { shop, all, statement: { id: 0, monthNo, ...figures } },
    null,
  ).preview;
  return { net, base, share, topUp, parts };
}

type Confirmed = { id: number; billNo: string | null; change: Fen };

/** Closes a month, or proposes to where a process says so. */
export async function confirm(
  act: Act,
  id: number,
  how: { audited?: Figures | null | undefined; previewHash: string; version: number },
): Promise<Confirmed & { examineNo: string | null }> {
  const found = await statementFor(act, id, true);
  const { shop, statement } = found;
  await refuseFrozen(act, SALES, [id]);
  asSeen(statement, how.version);
  STATEMENT_MOVES.next("confirm", { status: statement.state });
  const { preview } = weigh(act, found, how.audited);
  if (preview.hash !== how.previewHash)
    throw new Refusal("previewChanged", "账单试算已变化，请核对后重新确认", 409, { data: preview });
  const payload = { audited: how.audited ?? null } satisfies Audited;
  const reason = `确认 ${monthName(statement)} 营业额`;
  const { waiting } = await propose(act, SALES, [
    { recordId: id, villageId: shop.villageId, payload, reason },
  ]);
  if (waiting[0]) return { id, billNo: null, change: preview.change, examineNo: waiting[0].examineNo };
  return { ...(await confirmNow(act, found, how.audited)), examineNo: null };
}

/** What its turnover costs beyond the base is billed, or taken off what was billed too much, in one transaction. */
async function confirmNow(act: Act, found: Found, audited: Figures | null | undefined): Promise<Confirmed> {
  const { shop, all, statement } = found;
  const { id } = statement;
  const { figures, month, reckoned, preview } = weigh(act, found, audited);
  const { own, change } = reckoned;
  const bill =
    change > 0 ? (await makeBills(act, [topUpBill(act, shop, statement, reckoned)]))[0] : undefined;
  if (change < 0) await credit(act, all, statement, -change);
  const earlier = all.findLast((s) => s.monthNo === statement.monthNo && s.billId !== null)?.billId ?? null;
  await moveOthers(act, found, reckoned);
  const differs = netOf(figures) !== statement.net;
  const { gross, refunds, excluded } = figures;
  await act.tx
    .updateTable("salesStatement")
    .set({
      gross,
      refunds,
      excluded,
      ...(differs && { declared: statement.net, source: "audited" }),
      state: own.topUp > 0 ? "billed" : "confirmed",
      baseRent: month.base,
      turnoverRent: own.share,
      topUp: own.topUp,
      charged: change,
      billId: bill?.id ?? (own.topUp > 0 ? earlier : null),
      confirmedAt: act.now.toISOString(),
      confirmedBy: act.who.operatorId,
      version: NEXT_VERSION,
      ...stamp(act),
    })
    .where("id", "=", id)
    .execute();
  const charged = bill
    ? `，出账 ${bill.billNo} ${yuan(change)} 元`
    : change < 0
      ? `，冲减 ${yuan(-change)} 元`
      : "";
  await noteShop(
    act,
    shop,
    "确认营业额",
    `${monthName(statement)} 营业额净额 ${yuan(preview.net)} 元，保底 ${yuan(month.base)} 元，提成 ${yuan(own.share)} 元${charged}`,
    { before: { net: statement.net }, after: { ...preview } },
  );
  return { id, billNo: bill?.billNo ?? null, change };
}

/**
 * Where bands run over the year, what a month sold decides in which band those after it lie: their shares move with it, so that they
 * add up to what is billed. Their bills stay; the difference is in that of the month which is closed.
 */
async function moveOthers(act: Act, { shop, all, statement }: Found, { year }: Reckoned): Promise<void> {
  const owed = new Map(year.map((m) => [m.no, m]));
  const bases = new Map(shop.months.map((m) => [m.no, m.base]));
  for (const { id, state, monthNo, turnoverRent, topUp } of all) {
    const now = owed.get(monthNo);
    if (id === statement.id || !now || (state !== "confirmed" && state !== "billed")) continue;
    if (now.share === turnoverRent && now.topUp === topUp) continue;
    await act.tx
      .updateTable("salesStatement")
      .set({
        baseRent: bases.get(monthNo)!,
        turnoverRent: now.share,
        topUp: now.topUp,
        version: NEXT_VERSION,
        ...stamp(act),
      })
      .where("id", "=", id)
      .execute();
  }
}

function topUpBill(act: Act, shop: Shop, s: Statement, { own, charged, change }: Reckoned): NewBill {
  const { terms } = shop;
  const roomId = shop.rooms[0]?.roomId ?? null;
  const explain = {
    rule: "turnover",
    statementId: s.id,
    share: own.share,
    topUp: own.topUp,
    charged,
    amount: change,
    formula: `${monthName(s)} 提成 ${yuan(own.share)} 元，补差 ${yuan(own.topUp)} 元，本次出账 ${yuan(change)} 元`,
  };
  const [periodStart, periodEnd] = [s.fromDate, s.toDate];
  return {
    villageId: shop.villageId,
    roomId,
    contractId: shop.id,
    partyId: shop.partyId,
    title: `${monthName(s)} 营业额提成`,
    dueDate: dueAfter(act, shop),
    periodStart,
    periodEnd,
    source: "turnover",
    sourceId: s.id,
    graceDays: terms.graceDays,
    lateFeeRate: shareOf(terms.lateFeeDailyRate),
    lateFeeCap: shareOf(terms.lateFeeCapPercent),
    lines: [
      {
        subject: "rent",
        roomId,
        amount: change,
        periodStart,
        periodEnd,
        slices: [{ from: periodStart, to: periodEnd, amount: change }],
        explain,
      },
    ],
  };
}

/** Takes a sum off the bills beyond the base of the same contract year, those of its month and then the newest first; none of them is rewritten. */
async function credit(act: Act, all: readonly Statement[], of: Statement, sum: Fen): Promise<void> {
  const year = all.filter((s) => yearOf(s.monthNo) === yearOf(of.monthNo));
  const lines = await chargedLines(
    act,
    year.map((s) => s.id),
  );
  const month = new Set(year.filter((s) => s.monthNo === of.monthNo).map((s) => s.id));
  const beside = ({ statementId }: { statementId: number }) => (month.has(statementId) ? 0 : 1);
  let rest = sum;
  const paid = new Set<string>();
  const parts = lines
    .toSorted((a, b) => beside(a) - beside(b))
    .flatMap(({ id, billNo, left, open }) => {
      const part = Math.min(left, rest);
      rest -= part;
      if (part > open) paid.add(billNo);
      return part ? [{ lineId: id, amount: -part, reason: `${monthName(of)} 营业额更正或年度结算` }] : [];
    });
  if (rest) throw new Refusal("notAllowed", "补差账单已调整或作废，请先核对账单再确认");
  if (paid.size)
    throw new Refusal(
      "notAllowed",
      `补差账单 ${[...paid].join("、")} 已收款，请先撤销分配再确认；退回的款项记入预存款`,
    );
  await adjustLines(act, parts);
}

type Audited = { audited: Figures | null };

/** Whoever approves it need not have its store in scope; the examine says who may. */
async function foundFor(read: Read, id: number, lock = false): Promise<Found> {
  const { villageId } = await theRow(read, "salesStatement", ["villageId"], { id });
  return statementFor({ ...read, who: { ...read.who, villages: [villageId] } }, id, lock);
}

approves({
  type: SALES,
  title: "营业额确认",
  group: "合同",
  kind: SALES,
  page: "/configuration/MerchantManage?part=turnover",
  permit: "106.query",
  fields: [
    { key: "net", title: "营业额净额", kind: "money" },
    { key: "change", title: "本次出账", kind: "money" },
    { key: "credit", title: "本次冲减", kind: "money" },
  ],
  outlook: async (read, { id, payload }) => {
    const found = await foundFor(read, id);
    const { shop, statement } = found;
    STATEMENT_MOVES.next("confirm", { status: statement.state });
    const { preview } = weigh(read, found, (payload as Audited).audited);
    const { net, base, share, change, charged, note, parts } = preview;
    return {
      title: `确认营业额 ${shop.contractNo} ${monthName(statement)}`,
      number: `${shop.contractNo} ${monthName(statement)}`,
      opens: {
        page: `/configuration/MerchantManage?part=turnover&statement=${id}`,
        id: shop.partyId,
      },
      villageId: shop.villageId,
      amount: Math.abs(change),
      values: { net, change: Math.max(0, change), credit: Math.max(0, -change) },
      facts: [
        ["商户", shop.partyName],
        ["铺位", shop.roomNames],
        ["月份", monthName(statement)],
        ["申报净额", `${yuan(statement.declared ?? statement.net)} 元`],
        ["审定净额", `${yuan(net)} 元`],
        [change < 0 ? "本次冲减" : "本次出账", `${yuan(Math.abs(change))} 元`],
        ...(note ? [["说明", note] as const] : []),
      ],
      preview: [
        {
          title: "营业额租金",
          columns: [
            money("审定净额"),
            money("保底"),
            money("提成"),
            money("本年已出补差"),
            money("本次出账"),
          ],
          rows: [[net, base, share, charged, change]],
        },
        ...(parts.length
          ? [{ title: "分档计算", columns: [words("计算")], rows: parts.map((p) => [p]) }]
          : []),
      ],
      hash: preview.hash,
    };
  },
  effect: async (act, { id, payload }) => {
    const found = await foundFor(act, id, true);
    STATEMENT_MOVES.next("confirm", { status: found.statement.state });
    await confirmNow(act, found, (payload as Audited).audited);
  },
});
