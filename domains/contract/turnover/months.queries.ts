import type { Read } from "../../../platform/server/pipeline/act.ts";
import { CLOSED, type ShopMonth, monthRefusal, reckon, ruleOf } from "./statement.rules.ts";
import { breakEven, ratesText } from "../terms/turnover-share.rules.ts";
import { rentBills, shopOf, shopsOf, statementsOf, type Shop, type Statement } from "./statement.queries.ts";

type Bills = Awaited<ReturnType<typeof rentBills>>;
const shownBill = (bill: Bills[number] | undefined) =>
  bill ? { id: bill.id, billNo: bill.billNo, amount: bill.amount, status: bill.status } : null;

function monthRow(read: Read, shop: Shop, month: ShopMonth, all: Statement[], bills: Bills) {
  const s = all.findLast((x) => x.monthNo === month.no && x.state !== "corrected");
  const closed = s && (CLOSED as readonly string[]).includes(s.state);
  const rule = ruleOf(shop.terms.turnover);
  // what waits is shown as it would come out now
  const own = s && (closed ? s : open(shop, all, s));
  const share = own?.turnoverRent ?? null;
  const topUp = own?.topUp ?? null;
  const base = (closed ? s.baseRent : null) ?? month.base;
  return {
    no: month.no,
    month: month.from.slice(0, 7),
    from: month.from,
    to: month.to,
    why: monthRefusal(month, read.today) ?? null,
    id: s?.id ?? null,
    version: s?.version ?? null,
    state: s?.state ?? null,
    source: s?.source ?? null,
    gross: s?.gross ?? null,
    refunds: s?.refunds ?? null,
    excluded: s?.excluded ?? null,
    declared: s ? (s.declared ?? s.net) : null,
    audited: closed ? s.net : null,
    base,
    share,
    rent: topUp === null ? null : (rule.rentKind === "turnover" ? 0 : base) + topUp,
    topUp,
    note: s?.note ?? "",
    reason: s?.reason ?? "",
    baseBill: shownBill(
      bills.find((b) => b.source === "schedule" && b.start <= month.from && b.end >= month.from),
    ),
    bill: shownBill(bills.find((b) => b.id === s?.billId)),
  };
}

function open(shop: Shop, all: readonly Statement[], s: Statement) {
  const { own } = reckon(shop.terms.turnover, shop.months, all, s);
  return { turnoverRent: own.share, topUp: own.topUp };
}

/** Every month so far of a merchant's shops, the newest first, with what was sold and what it costs by each rule. */
export async function monthsOfMerchant(read: Read, merchantId: number) {
  const ids = await shopsOf(read, merchantId);
  return Promise.all(
    ids.map(async (id) => {
      const shop = await shopOf(read, id);
      const [all, bills] = await Promise.all([statementsOf(read, id), rentBills(read, id)]);
      const rule = ruleOf(shop.terms.turnover);
      const months = shop.months.filter((m) => m.from <= read.today).toReversed();
      const usual = shop.months[0]?.base ?? 0;
      return {
        contractId: id,
        contractNo: shop.contractNo,
        roomNames: shop.roomNames,
        startDate: shop.start,
        endDate: shop.end,
        rentKind: rule.rentKind,
        rates: ratesText(rule),
        declareDay: rule.rentKind === "fixed" ? null : rule.declareDay,
        breakEven: rule.rentKind === "higherOf" ? breakEven(rule, usual) : null,
        months: months.map((m) => monthRow(read, shop, m, all, bills)),
      };
    }),
  );
}
