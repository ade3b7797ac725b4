import { sql } from "kysely";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import { yuan } from "../../platform/kernel/fen.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { addAccount, channelBalances } from "../../domains/finance/account/account.service.ts";
import { previewClaim, submitClaim } from "../../domains/finance/corporate/claim.service.ts";
import { importLines } from "../../domains/finance/corporate/import.service.ts";
import { classifyLine } from "../../domains/finance/corporate/use.service.ts";
import { lineOf } from "../../domains/finance/corporate/line.service.ts";
import { makeSubAccounts } from "../../domains/finance/sub-account/import.service.ts";
import { takeFile } from "../../domains/finance/reconcile/file.service.ts";
import { keepTemplate } from "../../domains/finance/statement/template.service.ts";
import { acting } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };
type Owing = {
  partyId: number;
  villageId: number;
  name: string;
  amount: number;
  wants: { billId: number; lineId: number; amount: number }[];
};
type Came = { ago: number; amount: number; name: string; account: string; summary: string; to?: string };

const LINES = 6;
/** So many customers have a number of the bank of their own. */
const SUBS = 3;
const subOf = (i: number) => `5719${String(80_010_001 + i).padStart(14, "0")}`;
const accountOf = (i: number) => `6222${String(31_000_000_000_000 + i * 7_919_191).padStart(15, "0")}`;

/** Firms, then tenants, of the stores that somebody looks after, each with a bill that is due next. */
async function owing({ db }: Store, clerk: number, today: Day): Promise<Owing[]> {
  const { rows } = await sql<Owing>`
    select distinct on (p.kind = 'renter', b.party_id) b.party_id "partyId", b.village_id "villageId", p.name,
      b.outstanding amount,
      (select json_agg(json_build_object('billId', b.id, 'lineId', l.id, 'amount', l.outstanding) order by l.id)
        from bill_line l where l.bill_id = b.id and l.outstanding > 0) wants
    from bill b join party p on p.id = b.party_id
    where b.outstanding > 0 and b.settled = 0 and b.direction = 'receivable' and b.source = 'schedule'
      and b.voided_at is null and b.due_date between ${today} and ${addDays(today, 60)}
      and p.kind in ('renter', 'company', 'merchant')
      and b.village_id = any(array(select unnest(village_ids) from operator where id = ${clerk}))
      and not exists (select from refund r where r.party_id = b.party_id)
    order by p.kind = 'renter', b.party_id, b.due_date, b.id limit ${LINES}`.execute(db);
  return rows;
}

const fileOf = (lines: readonly Came[], today: Day): Buffer => {
  const rows = lines.map(({ ago, amount, name, account, summary, to = "" }, i) => {
    const day = addDays(today, -ago);
    const no = `${day.replaceAll("-", "")}${String(i + 1).padStart(6, "0")}`;
    return [day, no, yuan(amount, false), "", name, account, summary, to].join(",");
  });
  const head = "交易日期,交易流水号,贷方发生额,借方发生额,对方户名,对方账号,摘要,收款账号";
  return Buffer.from([head, ...rows, ""].join("\r\n"));
};

/** Transfers of the last days to an account of head office: some claimed, some said to be something else, some nobody's yet. */
export async function makeCorporate(
  store: Store,
  people: { clerk: number; finance: number; enterpriseId: number },
  today: Day,
): Promise<void> {
  const merchantAccountId = await addAccount(
    { tx: store.db as never },
    {
      enterpriseId: people.enterpriseId,
      name: "对公收款户",
      kind: "bank",
      statementMode: "claim",
      bankName: "招商银行杭州分行",
      bankAccountNo: "571900000000000002",
    },
  );
  const whose = await owing(store, people.clerk, today);
  const paid = whose.map((of, i): Came => {
    const known = i % 3 !== 2;
    return {
      ago: i + 1,
      amount: of.amount,
      name: known ? of.name : `${of.name}家属`,
      account: accountOf(i),
      summary: known ? "房租" : "代付房租",
      ...(i < SUBS && { to: subOf(i) }),
    };
  });
  const channel = await sql<{ id: number }>`
    select id from merchant_account where kind = 'wechat' and enterprise_id = ${people.enterpriseId} order by id limit 1`.execute(
    store.db,
  );
  const wechat = channel.rows[0]!.id;
  const owed = await channelBalances({ tx: store.db as never }, [wechat]);
  const pending = Math.min(500_000, owed.get(wechat)!);
  const others: Came[] = [
    { ago: 1, amount: 68_000, name: "陌生商贸有限公司", account: accountOf(20), summary: "货款" },
    { ago: 5, amount: 240_000, name: "杭州云启信息技术有限公司", account: accountOf(21), summary: "往来款" },
    { ago: 2, amount: 3_217, name: "招商银行杭州分行", account: "", summary: "结息" },
    ...(pending > 0
      ? [{ ago: 1, amount: pending, name: "财付通支付科技有限公司", account: "", summary: "商户结算" }]
      : []),
  ];
  const at = new Date(`${today}T09:05:00+08:00`);
  const file = {
    field: "file",
    name: "招商银行流水.csv",
    type: "text/csv",
    bytes: fileOf([...paid, ...others], today),
  };
  const subs = whose.slice(0, SUBS).map(({ partyId, villageId, name }, i) => ({
    merchantAccountId,
    number: subOf(i),
    name,
    villageId,
    partyId,
    remark: "",
  }));
  await acting(store, people.finance, at, (act) => makeSubAccounts(act, subs));
  await acting(store, people.finance, at, (act) => importLines(act, file, { merchantAccountId, note: "" }));
  await acting(store, people.finance, at, (act) =>
    keepTemplate(act, {
      merchantAccountId,
      name: "城商行网银",
      version: 0,
      skipLines: 1,
      dateFormat: "auto",
      columns: {
        date: "记账时点",
        serial: "流水序号",
        in: "进账",
        out: "出账",
        name: "来款人",
        notes: ["备注"],
      },
    }),
  );
  const idOf = async (amount: number, account: string): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      select l.id from bank_line l join statement_line s on s.id = l.statement_line_id
      where l.merchant_account_id = ${merchantAccountId} and l.amount = ${amount} and s.counter_account = ${account}`.execute(
      store.db,
    );
    return rows[0]!.id;
  };
  for (const [i, of] of whose.slice(0, 2).entries()) {
    const lineId = await idOf(of.amount, accountOf(i));
    const { partyId, villageId, amount, wants } = of;
    await acting(store, people.clerk, new Date(`${today}T09:3${i}:00+08:00`), async (act) => {
      const asked = { lineId, villageId, partyId, amount, wants };
      const { hash } = await previewClaim(act, asked);
      const more = { restToPrepaid: false, reason: "", fileIds: [], previewHash: hash };
      await submitClaim(act, { ...asked, ...more });
    });
  }
  const interest = await idOf(3_217, "");
  await acting(store, people.finance, new Date(`${today}T09:40:00+08:00`), async (act) => {
    const { version } = await lineOf(act, interest);
    await classifyLine(act, { lineId: interest, version, kind: "interest", amount: 3_217, note: "季度结息" });
  });
}

/**
 * The last days of a bank account as the bank tells them: what is in the books, but for the last movement, and 80.00 that
 * nobody has recorded. So two differences are open.
 */
export async function makeStatement(
  store: Store,
  people: { finance: number; enterpriseId: number },
  today: Day,
): Promise<void> {
  const { rows } = await sql<{
    accountId: number;
    day: Day;
    direction: "in" | "out";
    amount: number;
    name: string;
  }>`
    with bank as (select a.id from merchant_account a where a.kind = 'bank' and a.statement_mode = 'reconcile'
      and a.enterprise_id = ${people.enterpriseId} order by a.id limit 1)
    select b.id "accountId", f.paid_on "day", f.direction, f.amount, f.payer_name "name"
    from bank b join flow f on f.merchant_account_id = b.id and f.state = 'confirmed'
      and f.paid_on between ${addDays(today, -7)} and ${addDays(today, -1)}
    order by f.paid_on, f.id`.execute(store.db);
  const [first] = rows;
  if (!first || rows.length < 2) return;
  const told = [
    ...rows.slice(0, -1),
    { ...first, direction: "in" as const, amount: 8_000, name: "未登记付款人" },
    // the days that it covers reach to that of the last movement
    { ...rows.at(-1)!, direction: "in" as const, amount: 1_234, name: "结息" },
  ];
  const lines = told.map(({ day, direction, amount, name }, i) => {
    const fen = yuan(amount, false);
    const no = `${day.replaceAll("-", "")}9${String(i + 1).padStart(5, "0")}`;
    return [day, no, direction === "in" ? fen : "", direction === "out" ? fen : "", name, ""].join(",");
  });
  const head = "交易日期,交易流水号,贷方发生额,借方发生额,对方户名,摘要";
  const file = {
    field: "file",
    name: "基本户流水.csv",
    type: "text/csv",
    bytes: Buffer.from([head, ...lines, ""].join("\r\n")),
  };
  const at = new Date(`${today}T09:10:00+08:00`);
  const asked = { merchantAccountId: first.accountId, mode: "reconcile" as const, note: "" };
  await acting(store, people.finance, at, (act) => takeFile(act, file, asked));
}
