import { sql } from "kysely";
import { dayInZone, firstOf, lastOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { dueOf } from "../accrual/accrual.service.ts";
import { taxDueOf } from "../accrual/tax.service.ts";
import { type Found, monthChecks } from "../journal/month-check.service.ts";
import { BILLS } from "../bill/bill.rules.ts";
import { settingsOf } from "../setting/setting.service.ts";
import { debitOf, linesOf, mappingsOf, openBefore, type PostedMonth } from "./books.queries.ts";
import { COST_PAGE, INCOME_PAGE, mappingOf, OFFICE_KEY } from "./posting.rules.ts";

export type Checked = Found & { key: string; title: string; level: "ok" | "amber" | "red" };
const FLOWS = "/accountManage/AccountFlowPatch";
const WELL: Found = { count: 0, said: "" };

/** What a month of a side waits for before its vouchers are made: red blocks, amber warns. */
export async function checkMonth(read: Read, posted: PostedMonth): Promise<Checked[]> {
  const { place, month, side } = posted;
  const checked: Checked[] = [];
  const add = (key: string, title: string, level: "amber" | "red", found: Found) =>
    checked.push({ key, title, ...found, level: found.count ? level : "ok" });
  add("before", "以前月份已锁账", "red", await monthsBefore(read, posted));
  if (side === "income" && place.villageId !== null) {
    add("accrual", "本月收入已计提", "red", await accrued(read, place.villageId, posted));
    add("tax", "未开票税金已申报", "red", await declared(read, place.villageId, posted));
  }
  if (side === "income") add("ledger", "账务自检无异常", "red", await clean(read, posted));
  add(
    "pending",
    side === "income" ? "没有待确认的收款" : "没有待确认的付款",
    "red",
    await pendingFlows(read, posted),
  );
  if (side === "cost") add("approving", "没有审批中的成本单", "red", await approvingCosts(read, posted));
  const bookMonth = {
    enterpriseId: place.enterpriseId,
    villageId: place.villageId,
    first: firstOf(month),
    last: lastOf(month),
  };
  for (const check of monthChecks(side))
    add(check.key, check.title, check.level, await check.find(read, bookMonth));
  add("mapping", "科目都有总账科目", "red", await mapped(read, posted));
  return checked;
}

async function monthsBefore(read: Read, posted: PostedMonth): Promise<Found> {
  const open = await openBefore(read, posted);
  if (!open) return WELL;
  const isEmpty = !(await debitOf(read, { ...posted, month: open }));
  return {
    count: 1,
    said: `${open} 还没有导出锁账${isEmpty ? "（该月没有凭证，同样要生成并导出）" : ""}`,
    path: posted.side === "income" ? INCOME_PAGE : COST_PAGE,
    query: { year: open.slice(0, 4), at: open, place: posted.place.villageId ?? OFFICE_KEY },
  };
}

async function accrued(read: Read, villageId: number, { month }: PostedMonth): Promise<Found> {
  const { rows } = await sql`
    select from accrual_run where village_id = ${villageId} and month >= ${month} limit 1`.execute(read.tx);
  if (!rows.length) return { count: 1, said: "本月还没有计提" };
  const due = await dueOf(read, villageId, month);
  return due.length
    ? {
        count: due.length,
        said: `计提之后又有 ${due.length} 笔，合计 ${yuan(due.reduce((sum, d) => sum + d.gross, 0))}`,
      }
    : WELL;
}

async function declared(read: Read, villageId: number, { month }: PostedMonth): Promise<Found> {
  const { taxPoint } = (await settingsOf(read, [villageId]))(villageId);
  const due = await taxDueOf(read, villageId, month, taxPoint);
  return due.length
    ? {
        count: due.length,
        said: `${due.length} 笔待申报，税额 ${yuan(due.reduce((sum, d) => sum + d.tax, 0))}`,
      }
    : WELL;
}

/** By the last run; one of before the month was over knows nothing of its end. */
async function clean(read: Read, { place, month }: PostedMonth): Promise<Found> {
  const { rows } = await sql<{ breaks: number; runAt: string }>`
    select c.run_at "runAt", (select count(*) from ledger_break b where b.check_id = c.id
      and (b.village_id is null or b.village_id = ${place.villageId}::bigint))::int breaks
    from ledger_check c where c.enterprise_id = ${place.enterpriseId} and c.state = 'done'
    order by c.id desc limit 1`.execute(read.tx);
  if (!rows[0]) return { count: 1, said: "还没有运行过账务自检" };
  const { breaks, runAt } = rows[0];
  const ranOn = dayInZone(new Date(runAt), read.settings.TIME_ZONE);
  if (ranOn <= lastOf(month)) return { count: 1, said: `月末以后还没有运行过账务自检，上次为 ${ranOn}` };
  return breaks
    ? { count: breaks, said: `${breaks} 处异常`, path: "/report/FinancePage", query: { list: "checks" } }
    : WELL;
}

/** Money that somebody still has to confirm; it is held by the store that it is booked for. */
async function pendingFlows(read: Read, { place, month, side }: PostedMonth): Promise<Found> {
  if (place.villageId === null) return WELL;
  const { rows } = await sql<{ count: number; fen: number }>`
    select count(*)::int count, coalesce(sum(amount), 0)::bigint fen from flow
    where village_id = ${place.villageId} and state in ('pending', 'approving')
      and direction = ${side === "income" ? "in" : "out"}
      and paid_on between ${firstOf(month)} and ${lastOf(month)}`.execute(read.tx);
  const { count, fen } = rows[0]!;
  return {
    count,
    said: count ? `${count} 笔，${yuan(fen)}` : "",
    path: FLOWS,
    query: { tab: "pending", villageIds: place.villageId },
  };
}

/** Cost bills of the month that wait for an approval, of themselves or of their payment: what is agreed to changes them. */
async function approvingCosts(read: Read, { place, month }: PostedMonth): Promise<Found> {
  if (place.villageId === null) return WELL;
  const { rows } = await sql<{ count: number; fen: number }>`
    with open as (
      select target_kind, target_id from examine where village_id = ${place.villageId} and state = 'approving'
    ), waiting as (
      select target_id bill_id from open where target_kind = 'bill'
      union
      select (w ->> 'billId')::bigint from open e join flow f on f.id = e.target_id
        cross join jsonb_array_elements(f.wanted -> 'wants') w
      where e.target_kind = 'flow' and f.direction = 'out')
    select count(*)::int count, coalesce(sum(b.amount + b.adjusted), 0)::bigint fen
    from waiting w join bill b on b.id = w.bill_id
    where b.direction = 'payable' and b.issue_date between ${firstOf(month)} and ${lastOf(month)}`.execute(
    read.tx,
  );
  const { count, fen } = rows[0]!;
  return {
    count,
    said: count ? `${count} 张，${yuan(fen)}` : "",
    path: BILLS,
    query: { tab: "all", direction: "payable", villageIds: place.villageId },
  };
}

async function mapped(read: Read, posted: PostedMonth): Promise<Found> {
  const mappings = await mappingsOf(read, posted.place.enterpriseId);
  const lines = await linesOf(read, posted);
  const missing = new Set(
    lines
      .filter((line) => !mappingOf(mappings, { ...line, villageId: posted.place.villageId }))
      .map(({ account }) => account),
  );
  const accounts = [...missing].toSorted();
  return {
    count: accounts.length,
    said: accounts.length ? `缺少 ${accounts.join("、")}` : "",
    path: posted.side === "income" ? INCOME_PAGE : COST_PAGE,
    query: { list: "mapping" },
  };
}
