import { type RawBuilder, sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { invoicedOfContract, invoicedTax, invoiceSums } from "./invoices.queries.ts";
import {
  accrualByDay,
  accrualInBooks,
  deferredIncome,
  taxAhead,
  vouchersInBooks,
} from "./accrual.queries.ts";
import { moneyOfFlows, owedOut, takingsUsed } from "./ties.queries.ts";

/** What is booked on bills that are void, what was settled of them, and bills that a void contract still has. */
export const onVoid = (): RawBuilder<unknown> => sql`
  select b.village_id, b.bill_no || ' ' || a.name key, 0::bigint expected, abs(sum(l.debit - l.credit)) actual
  from bill b join journal_line l on l.bill_id = b.id join account a on a.code = l.account
  where b.status = 'void' group by b.id, a.code
  union all
  select b.village_id, b.bill_no || ' 已收', 0, b.settled + b.written_off from bill b where b.status = 'void'
  union all
  select b.village_id, b.bill_no || ' 合同已作废', 0, b.amount + b.adjusted
  from contract_brief c join bill b on b.contract_id = c.id where c.state = 'voided' and b.voided_at is null`;

/**
 * Deferred income of a contract is what its own bills brought: never below nothing before any of it is recognised, and none of
 * it from before the contract. A bill that was issued by money of that very day stands as it is: until 0310 a plan took the day of its
 * money, which may have come first.
 */
export const deferredByContract = (): RawBuilder<unknown> => sql`
  with deferred as materialized (
    select c.id, c.village_id, c.contract_no, j.fen, j.first_day,
      coalesce(c.signed_on, least(c.start_date, c.created_at::date)) begun
    from (
      select l.contract_id, sum(l.credit - l.debit) fen, min(l.date) first_day
      from journal_line l join journal_entry e on e.id = l.entry_id and e.event <> 'E24'
      where l.account = '2204' and l.contract_id is not null group by 1) j join contract_brief c on c.id = j.contract_id)
  select village_id, contract_no key, greatest(fen, 0) expected, fen actual from deferred
  union all
  select d.village_id, d.contract_no || ' 早于合同', 0, sum(l.debit + l.credit)
  from deferred d join journal_line l on l.contract_id = d.id and l.account = '2204' and l.date < d.begun
  where d.first_day < d.begun and not exists (
    select from allocation a join flow f on f.id = a.flow_id where a.bill_id = l.bill_id and f.paid_on = l.date)
  group by d.id, d.village_id, d.contract_no`;

/** What was there at the take-over stands against 3999, and arrears from then still do after every correction. */
export const againstOpening = (): RawBuilder<unknown> => sql`
  select max(l.village_id) village_id, e.entry_no key,
    coalesce(sum(l.debit + l.credit) filter (where l.account not in ('3999', '2299')), 0) expected,
    coalesce(sum(l.debit + l.credit) filter (where l.account = '3999'), 0) actual
  from journal_entry e join journal_line l on l.entry_id = e.id where e.event = 'E30' group by e.id
  union all
  select b.village_id, b.bill_no, case when b.voided_at is null and b.issued_at is not null then o.fen else 0 end,
    coalesce((select sum(credit - debit) from journal_line where bill_id = b.id and account = '3999'), 0)
  from bill b join lateral (
    select coalesce(sum(l.amount), 0) fen from bill_line l join fee_subject s on s.id = l.fee_subject_id
    where l.bill_id = b.id and s.kind <> 'lateFee') o on true
  where b.source = 'opening'`;

/** Standing bills with an amount, or a line, beyond the upper bound; voiding takes such a one off the books. */
export const beyondBound = (): RawBuilder<unknown> => sql`
  select b.village_id, b.bill_no key, ${sql.lit(AMOUNT_MAX)}::bigint expected, m.most actual
  from bill b join lateral (
    select greatest(b.amount + b.adjusted - ${sql.lit(AMOUNT_MAX)}, max(abs(l.amount))) most
    from bill_line l where l.bill_id = b.id) m on m.most > ${sql.lit(AMOUNT_MAX)}
  where b.voided_at is null`;

/** Confirmed shares of third parties are what E27 booked, settlements what E28 did, and what is open what 1131 holds. */
export const thirdParties = (): RawBuilder<unknown> => sql`
  with booked as (
    select l.village_id, sum(l.debit - l.credit) filter (where e.event = 'E27') share, sum(l.debit - l.credit) open
    from journal_line l join journal_entry e on e.id = l.entry_id where l.account = '1131' group by 1),
  sheets as (
    select village_id, sum(share) share, sum(outstanding) open from third_party_income
    where state not in ('draft', 'reversed') group by 1),
  laid as (
    select coalesce(b.village_id, s.village_id) village_id, coalesce(s.share, 0) share, coalesce(b.share, 0) booked,
      coalesce(s.open, 0) open, coalesce(b.open, 0) balance
    from booked b full join sheets s on s.village_id = b.village_id)
  select b.village_id, v.name || ' 分成' key, b.share expected, b.booked actual from laid b join village v on v.id = b.village_id
  union all
  select b.village_id, v.name || ' 未结算', b.open, b.balance from laid b join village v on v.id = b.village_id
  union all
  select i.village_id, i.sheet_no, coalesce(sum(s.amount) filter (where s.undone_at is null), 0), i.settled
  from third_party_income i left join third_party_settlement s on s.income_id = i.id group by i.id
  union all
  select i.village_id, i.sheet_no || ' 对公流水', s.amount, coalesce(sum(u.amount), 0)
  from third_party_settlement s join third_party_income i on i.id = s.income_id
  left join bank_line_use u on u.by_type = 'thirdParty' and u.by_id = s.id and u.undone_at is null
  where s.bank_line_id is not null and s.undone_at is null group by i.id, s.id`;

/**
 * Each submission stands in the books with what waits to arrive and with what is short; it hands over what its items come
 * to, and its flows know it. By store that is all there is of both accounts.
 */
export const handedOver = (): RawBuilder<unknown> => sql`
  with booked as (
    select e.source_id, coalesce(sum(l.debit - l.credit) filter (where l.account = '1019'), 0) way,
      coalesce(sum(l.debit - l.credit) filter (where l.account = '1221'), 0) short
    from journal_entry e join journal_line l on l.entry_id = e.id where e.source_type = 'submission' group by 1)
  select s.village_id, s.submission_no || f.title key, f.expected, f.actual
  from submission s left join booked b on b.source_id = s.id
  cross join lateral (
    select coalesce(sum(i.amount), 0) fen, count(*) filter (where i.live and i.what = 'flow') flows
    from submission_item i where i.submission_id = s.id) i
  cross join lateral (values
    (' 在途', case s.state when 'submitted' then s.submitted else 0 end, coalesce(b.way, 0)),
    (' 短款', case s.state when 'short' then s.submitted - s.received else 0 end, coalesce(b.short, 0)),
    (' 明细', s.expected, i.fen),
    (' 流水', i.flows, (select count(*) from flow where submission_id = s.id))) f (title, expected, actual)
  union all
  ${byVillage(balance("1019", "D"), sql`select village_id key, sum(submitted) fen from submission where state = 'submitted' group by 1`)}
  union all
  ${byVillage(balance("1221", "D"), sql`select village_id key, sum(submitted - received) fen from submission where state = 'short' group by 1`)}`;

/**
 * What is compared: one row for each village, record or account, with what it should be and what it is. A row belongs to its
 * village's enterprise; a check with rows of head office, which is no village, selects `enterprise_id` as well (`ownsRows`).
 */
export type Check = {
  code: string;
  name: string;
  compare: (today: Day) => RawBuilder<unknown>;
  ownsRows?: true;
};

/** An account's balance on its normal side: D for what we have, C for what we owe. */
const balance = (account: string, side: "D" | "C", by = "village_id") => sql`
  select ${sql.ref(by)} key, sum(${side === "D" ? sql`debit - credit` : sql`credit - debit`}) fen
  from journal_line where account = ${account} and ${sql.ref(by)} is not null group by 1`;

/** Two lists of (key, fen) laid side by side; the key is a village. */
const byVillage = (expected: RawBuilder<unknown>, actual: RawBuilder<unknown>) => sql`
  select coalesce(e.key, a.key) village_id, v.name key, coalesce(e.fen, 0) expected, coalesce(a.fen, 0) actual
  from (${expected}) e full join (${actual}) a on a.key = e.key left join village v on v.id = coalesce(e.key, a.key)`;

const OPEN = sql`b.issued_at is not null and b.voided_at is null and b.direction = 'receivable'`;

/** Whose an entry is: its villages' enterprise, or that of its receiving accounts where all of it is head office's. */
const OWNER = sql`min(coalesce(v.enterprise_id, m.enterprise_id))`;
const OWNERS = sql`left join village v on v.id = l.village_id left join merchant_account m on m.id = l.merchant_account_id`;

/** The nightly check. Each compares in one statement, so in one moment, whatever is being booked meanwhile. */
export const CHECKS: readonly Check[] = [
  {
    code: "C01",
    name: "每张凭证借贷相等",
    ownsRows: true,
    compare: () => sql`
      select null::bigint village_id, ${OWNER} enterprise_id, e.entry_no key, coalesce(sum(l.debit), 0) expected,
        coalesce(sum(l.credit), -1) actual
      from journal_entry e left join journal_line l on l.entry_id = e.id ${OWNERS} group by e.id`,
  },
  {
    code: "C02",
    name: "凭证内每个门店借贷相等",
    compare: () => sql`
      select l.village_id, e.entry_no key, sum(l.debit) expected, sum(l.credit) actual
      from journal_line l join journal_entry e on e.id = l.entry_id group by e.id, l.village_id`,
  },
  {
    code: "C03",
    name: "账单金额等于明细与收款，合同合计等于账单",
    compare: () => sql`
      select b.village_id, b.bill_no key,
        coalesce(l.amount, 0) + coalesce(l.adjusted, 0) - coalesce(a.paid, 0) expected,
        b.amount + b.adjusted - b.settled - b.written_off actual
      from bill b
      left join (
        select bill_id, sum(amount) filter (where kind in ('normal', 'lateFee')) amount,
          sum(amount) filter (where kind in ('adjust', 'trim')) adjusted from bill_line group by 1) l on l.bill_id = b.id
      left join (select bill_id, sum(amount) paid from allocation group by 1) a on a.bill_id = b.id
      union all
      select b.village_id, b.bill_no || ' #' || l.id, coalesce(a.paid, 0), l.settled + l.written_off
      from bill_line l join bill b on b.id = l.bill_id
      left join (select bill_line_id, sum(amount) paid from allocation group by 1) a on a.bill_line_id = l.id
      union all
      select b.village_id, b.bill_no || ' 明细未收', b.outstanding, l.outstanding
      from bill b join (select bill_id, sum(outstanding) outstanding from bill_line group by 1) l on l.bill_id = b.id
      union all
      select m.village_id, c.contract_no || f.title, f.expected, f.actual
      from contract_money m join contract_brief c on c.id = m.contract_id
      left join (
        select contract_id, sum(amount + adjusted) billed, sum(settled) received, sum(outstanding) outstanding
        from bill b where ${OPEN} group by 1) b on b.contract_id = m.contract_id
      left join (select contract_id, sum(held) held from deposit_balance group by 1) d on d.contract_id = m.contract_id
      cross join lateral (values ('', coalesce(b.outstanding, 0), m.outstanding),
        (' 应收', coalesce(b.billed, 0), m.billed), (' 已收', coalesce(b.received, 0), m.received),
        (' 押金', coalesce(d.held, 0), m.deposit_held)) f (title, expected, actual)`,
  },
  {
    code: "C04",
    name: "流水已分配等于分配明细，手续费等于6602",
    compare: () => sql`
      select f.village_id, f.flow_no key, coalesce(a.paid, 0) + coalesce(s.amount, 0) expected, f.allocated actual
      from flow f left join (
        select flow_id, sum(amount) paid from allocation where flow_id is not null group by 1) a on a.flow_id = f.id
      left join third_party_settlement s on s.flow_id = f.id and s.undone_at is null
      union all
      select f.village_id, f.flow_no || ' 手续费', coalesce(j.fee, 0), f.fee
      from flow f left join (
        select flow_id, sum(debit - credit) fee from journal_line where account = '6602' group by 1) j on j.flow_id = f.id
      where f.direction = 'in' and f.state in ('confirmed', 'reversed') and (j.fee is not null or f.fee <> 0)`,
  },
  {
    code: "C05",
    name: "预存款等于未分配流水加期初余额，合计等于2203余额",
    compare: () => sql`
      select p.village_id, p.party_id::text key, coalesce(f.fen, 0) + p.opening expected, p.balance actual
      from party_balance p left join (
        select village_id, party_id, sum(unallocated) fen from flow
        where state = 'confirmed' and direction = 'in' group by 1, 2) f
        on f.village_id = p.village_id and f.party_id = p.party_id
      where p.kind = 'prepaid'
      union all
      select p.village_id, p.party_id || ' 期初', coalesce(j.fen, 0), p.opening
      from party_balance p left join (
        select village_id, party_id, sum(credit - debit) fen from journal_line
        where account = '2203' and flow_id is null group by 1, 2) j
        on j.village_id = p.village_id and j.party_id = p.party_id
      where p.kind = 'prepaid'
      union all
      ${byVillage(balance("2203", "C"), sql`select village_id key, sum(balance) fen from party_balance group by 1`)}`,
  },
  {
    code: "C06",
    name: "押金余额等于2241余额",
    compare: () => sql`
      select d.village_id, c.contract_no key, coalesce(j.fen, 0) expected, d.held actual
      from (select contract_id, village_id, sum(held) held from deposit_balance group by 1, 2) d
      join contract_brief c on c.id = d.contract_id
      left join (${balance("2241", "C", "contract_id")}) j on j.key = d.contract_id
      union all
      select e.village_id, b.bill_no, coalesce(j.fen, 0), e.held
      from earnest_balance e join bill b on b.id = e.bill_id
      left join (
        select bill_id key, sum(credit - debit) fen from journal_line
        where account = '2241' and contract_id is null and bill_id is not null group by 1) j on j.key = e.bill_id`,
  },
  { code: "C07", name: "收入确认明细等于凭证", compare: accrualInBooks },
  { code: "C08", name: "锁账月份的收入确认等于每日权责收入", compare: accrualByDay },
  {
    code: "C09",
    name: "锁账后没有记入已锁月份的凭证",
    compare: () => sql`
      select p.village_id, p.month || ' ' || p.side key, 0::bigint expected, count(e.id) actual
      from period_lock p left join journal_line l on l.village_id = p.village_id
        and l.date between (p.month || '-01')::date and ((p.month || '-01')::date + interval '1 month - 1 day')
      left join journal_entry e on e.id = l.entry_id and e.side = p.side and e.posted_at > p.locked_at
      group by 1, 2`,
  },
  {
    code: "C10",
    name: "已确认流水、已出账账单都有凭证",
    compare: () => sql`
      select f.village_id, f.flow_no key, 1::bigint expected, 0::bigint actual from flow f
      where f.state in ('confirmed', 'reversed') and not exists (
        select from journal_entry e where e.source_type = 'flow' and e.source_id = f.id
          and e.event in ('E06', 'E17', 'E26', 'E28', 'E13'))
      union all
      select b.village_id, b.bill_no, 1, 0 from bill b
      where b.issued_at is not null
        and exists (select from bill_line l where l.bill_id = b.id and l.amount <> 0)
        and not exists (
          select from journal_entry e where e.source_type = 'bill' and e.source_id = b.id
            and e.event in ('E01', 'E02', 'E03', 'E25', 'E30'))`,
  },
  {
    code: "C11",
    name: "每日汇总等于账簿",
    ownsRows: true,
    // head office stands under its enterprise's number below nothing
    compare: () => sql`
      select v.id village_id, coalesce(v.enterprise_id, -p.village_id) enterprise_id,
        case when p.village_id < 0 then '公司本部 ' || p.key else p.key end key, p.expected, p.actual
      from kept_sums_proof p left join village v on v.id = p.village_id`,
  },
  { code: "C12", name: "作废账单、作废合同上没有余额", compare: onVoid },
  { code: "C13", name: "合同的递延收入不为负，不早于合同", compare: deferredByContract },
  { code: "C14", name: "期初凭证和期初欠费对应3999", compare: againstOpening },
  { code: "C15", name: "账单金额不超过上限", compare: beyondBound },
  { code: "C18", name: "发票合计等于明细，已开票与占用等于发票", compare: invoiceSums },
  { code: "R6", name: "发票税额等于E22记入2221的税额", compare: invoicedTax },
  { code: "T13", name: "合同已开票不超过应收", compare: invoicedOfContract },
  { code: "T01", name: "收款与分配等于2203的变动", compare: takingsUsed },
  {
    code: "T02",
    name: "应收账款余额等于已出账账单未收",
    compare: () =>
      byVillage(
        balance("1122", "D"),
        sql`select village_id key, sum(outstanding) fen from bill b where ${OPEN} group by 1`,
      ),
  },
  {
    code: "T03",
    name: "应收账款余额等于欠费加未到期（按明细重算）",
    compare: (today) =>
      byVillage(
        balance("1122", "D"),
        sql`
          select key, sum(late + coming) fen from (
            select b.village_id key, case when b.due_date < ${today} then o.fen else 0 end late,
              case when b.due_date < ${today} then 0 else o.fen end coming
            from bill b join lateral (
              select coalesce((select sum(amount) from bill_line where bill_id = b.id), 0)
                - coalesce((select sum(amount) from allocation where bill_id = b.id), 0) fen) o on true
            where ${OPEN}) x group by 1`,
      ),
  },
  { code: "T04", name: "出账等于确认加递延，确认不含税等于业务收入", compare: deferredIncome },
  { code: "T05", name: "账户的流水等于资金变动，资金都有来源", ownsRows: true, compare: moneyOfFlows },
  { code: "T06", name: "待转销项税等于确认的税减已转出的税", compare: taxAhead },
  { code: "T07", name: "应付余额等于未付退款加未付成本", compare: owedOut },
  { code: "T08", name: "导出的凭证等于当月账簿", ownsRows: true, compare: vouchersInBooks },
  {
    code: "T09",
    name: "押金余额等于收取减抵扣减退还",
    compare: () =>
      byVillage(
        balance("2241", "C"),
        sql`select village_id key, sum(held) fen from (
          select village_id, held from deposit_balance union all select village_id, held from earnest_balance) h group by 1`,
      ),
  },
  {
    code: "T10",
    name: "待认领余额等于对公流水未认领余额",
    ownsRows: true,
    compare: () => sql`
      select null::bigint village_id, a.enterprise_id, a.name key, coalesce(l.fen, 0) expected, coalesce(j.fen, 0) actual
      from (select merchant_account_id id, sum(remaining) fen from bank_line group by 1) l
      full join (
        select merchant_account_id id, sum(credit - debit) fen from journal_line where account = '2242' group by 1) j
        on j.id = l.id
      join merchant_account a on a.id = coalesce(l.id, j.id)
      union all
      select null, a.enterprise_id, concat_ws(' ', a.name, l.day, l.amount, t.what), t.expected, t.actual
      from bank_line l join merchant_account a on a.id = l.merchant_account_id
      left join (
        select bank_line_id, sum(amount) filter (where state = 'approved') claimed,
          sum(amount) filter (where state = 'approving') reserved from claim group by 1) c on c.bank_line_id = l.id
      left join (
        select bank_line_id, sum(amount) fen, sum(amount) filter (where kind = 'wrongTransfer') returned
        from bank_line_use where undone_at is null group by 1) u on u.bank_line_id = l.id
      cross join lateral (values
        ('已认领', coalesce(c.claimed, 0), l.claimed), ('审批中', coalesce(c.reserved, 0), l.reserved),
        ('无需认领', coalesce(u.fen, 0), l.classified), ('已退回', coalesce(u.returned, 0), l.returned)
      ) t(what, expected, actual)`,
  },
  { code: "T11", name: "缴款在途和短款等于缴款单", compare: handedOver },
  {
    code: "T12",
    name: "内部往来合计为零，每个门店试算平衡",
    ownsRows: true,
    compare: () => sql`
      with between as (
        select ${OWNER} enterprise_id, sum(l.debit - l.credit) filter (where l.account = '2299') fen,
          sum(l.debit) filter (where l.village_id is null) debit, sum(l.credit) filter (where l.village_id is null) credit
        from journal_line l ${OWNERS} group by l.entry_id)
      select null::bigint village_id, enterprise_id, '2299' key, 0::bigint expected,
        coalesce(sum(fen), 0) actual from between group by 2
      union all
      select null, enterprise_id, '公司本部', coalesce(sum(debit), 0), coalesce(sum(credit), 0)
      from between group by 2
      union all
      select l.village_id, v.enterprise_id, l.village_id::text, sum(l.debit), sum(l.credit)
      from journal_line l join village v on v.id = l.village_id group by 1, 2`,
  },
  { code: "T14", name: "第三方分成与结算等于账簿", compare: thirdParties },
];
