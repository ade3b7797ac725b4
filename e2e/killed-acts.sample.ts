import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { everythingOf } from "../domains/contract/settlement/settlement.sample.ts";
import { addAccount, linkAccount } from "../domains/finance/account/account.service.ts";
import { LONG_LINES } from "../domains/finance/statement/statement.service.ts";
import { wechatBill, MERCHANT } from "../domains/finance/statement/statement.sample.ts";
import { addDays, addToMonth, dayInZone, firstOf, lastOf, monthOf } from "../platform/kernel/day.ts";
import type { ServerToKill } from "./killed.sample.ts";

/** One doing of an act: it may be asked for again, under the same key; `end` is what then stands, the same of each doing. */
type Doing = {
  ask: () => Promise<unknown>;
  end: () => Promise<unknown>;
  /** Waits for what the server was asked for and left to a job. */
  rest?: () => Promise<unknown>;
};
/** Each makes what it needs anew, so that it can be done as often as one likes. */
type Act = () => Promise<Doing>;

/** How often each act is struck, and where in each of so many parts of it. */
type Strikes = { points: number; share: () => number };

let kills = 0;
/** A server that was just started is slower, then faster: what came too late is struck sooner, so that two in three strike in the act. */
const [SOONER, LATER] = [0.8, 1.1];

/**
 * Does an act once in peace, then again and again with everything killed in the middle: afterwards all of it stands or nothing,
 * and asked for again it ends as the one in peace. What is struck last lies just behind the answer.
 */
export async function strike(
  server: ServerToKill,
  [name, prepare]: [string, Act],
  { points, share }: Strikes,
): Promise<void> {
  const peaceful = await prepare();
  const before = await peaceful.end();
  let length = await timed(() => through(peaceful));
  const whole = await peaceful.end();
  expect([name, whole]).not.toEqual([name, before]);
  const struck = { nothing: 0, whole: 0, answered: 0 };
  for (let point = 0; point < points; point++) {
    const doing = await prepare();
    const { end } = doing;
    expect([name, await end()]).toEqual([name, before]);
    const at = Math.round(((point + share()) / points) * length * 1.1);
    // with its database, or without: then the database ends by itself what nobody waits for
    const kill = kills++ % 2 ? server.aimAtServer() : server.aimAtAll();
    const answer = doing.ask().then(
      () => true,
      () => false,
    );
    await pause(at);
    kill();
    const answered = await answer;
    await server.start();
    await doing.rest?.();
    const cut = await end();
    const done = JSON.stringify(cut) === JSON.stringify(whole);
    expect([name, at, answered, cut]).toEqual([name, at, answered, done || answered ? whole : before]);
    struck[answered ? "answered" : done ? "whole" : "nothing"]++;
    length *= answered ? SOONER : LATER;
    const again = await through(doing).catch((error: Error) => error);
    // what has no key is refused where it is done already
    if (again instanceof Error)
      expect([name, at, again.message, done]).toEqual([name, at, again.message, true]);
    expect([name, at, await end()]).toEqual([name, at, whole]);
    await server.expectGoodLedger();
  }
  if (points > 1)
    console.log(`${name}: ${points} kills within ${Math.round(length)} ms: ${JSON.stringify(struck)}`);
}

async function through({ ask, rest }: Doing): Promise<void> {
  await ask();
  await rest?.();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const today = dayInZone(new Date());
const SETTLEMENT = "/contract/api/v3/settlement";
type Stepped = { id: number; state: string; version: number };

/** A tenant leaves today: the settlement confirmed, and taken back. */
export async function settlingActs(server: ServerToKill): Promise<Record<string, Act>> {
  const { rowsOf, inDatabase, request, send } = server;
  const [contract] = await rowsOf<{ id: number }>(
    `select c.id from contract c where c.state = 'effective' and c.kind = 'renter' and c.handover_on is not null
        and c.source <> 'import' and c.start_date < $1::date - 60 and c.end_date > $1::date + 60
        and not exists (select from contract_act a where a.contract_id = c.id)
        and not exists (select from refund r where r.contract_id = c.id or r.party_id = c.party_id)
      order by c.id limit 1`,
    [today],
  );
  const contractId = contract!.id;
  const [subject] = await rowsOf<{ id: number }>(
    "select id from fee_subject where code = 'cleaning' limit 1",
  );
  const charge = { kind: "cleaning", feeId: subject!.id, title: "退房保洁", amount: 15_000 };
  const { id } = await send<Stepped>(
    SETTLEMENT,
    {
      contractId,
      effectiveOn: today,
      endReason: "early",
      noticeOn: addDays(today, -5),
      reason: "工作调动",
      charges: [{ ...charge, clause: "房屋交还", note: "全屋清洁" }],
    },
    randomUUID(),
  );
  const at = `${SETTLEMENT}/${id}`;
  const row = () => request<Stepped>("GET", at);
  const preview = () => send<{ previewHash: string; obstacles: unknown[] }>(`${at}/preview`, {});

  /** From what is worked on to the tenant's signature. */
  async function submitted(): Promise<void> {
    const { previewHash, obstacles } = await preview();
    expect(obstacles).toEqual([]);
    const handedIn = await send<Stepped>(
      `${at}/submit`,
      { version: (await row()).version, previewHash },
      randomUUID(),
    );
    const form = new FormData();
    const bytes = Buffer.from(`%PDF-1.7\n% ${randomUUID()}\n%%EOF\n`);
    form.append("file", new Blob([bytes], { type: "application/pdf" }), "结算单.pdf");
    const file = await request<{ id: number }>("POST", "/system/api/v3/upload", form, randomUUID());
    await request(
      "PUT",
      `${at}/agree`,
      { version: handedIn.version, how: "paper", note: "租客已签字", fileIds: [file.id] },
      randomUUID(),
    );
  }
  async function confirming(): Promise<() => Promise<unknown>> {
    const { previewHash } = await preview();
    const { version } = await row();
    const key = randomUUID();
    return () => send(`${at}/confirm`, { version, previewHash }, key);
  }
  async function undoing(): Promise<() => Promise<unknown>> {
    const { version } = await row();
    const key = randomUUID();
    return () => send(`${at}/undo`, { version, reason: "租客改变主意" }, key);
  }
  const stands = async () => !["inspecting", "settling", "confirming"].includes((await row()).state);
  /** Whether the tenant has signed, and nothing else is left but the confirmation. */
  const agreed = async () => (await row()).state === "confirming";

  const end = async () => ({
    ...(await inDatabase(({ pool }) => everythingOf(pool, contractId))),
    settlement: await rowsOf(
      `select state, net, refund_id is not null refunds, bill_id is not null bills from contract_act where id = $1`,
      [id],
    ),
    refunds: await rowsOf(
      "select count(*)::int n, sum(amount) fen from refund where contract_id = $1 and state = 'toPay'",
      [contractId],
    ),
    left: await rowsOf(
      "select count(*)::int n from turnover where source = 'settlement' and source_id = $1",
      [id],
    ),
  });
  return {
    confirm: async () => {
      if (await stands()) await (await undoing())();
      if (!(await agreed())) await submitted();
      return { ask: await confirming(), end };
    },
    undo: async () => {
      if (!(await stands())) {
        if (!(await agreed())) await submitted();
        await (
          await confirming()
        )();
      }
      return { ask: await undoing(), end };
    },
  };
}

/** A job whose server is gone is given to another after its heartbeat; ms. */
const TAKEN_UP = 240_000;
const RUNNING = "select 1 from statement_run where merchant_account_id = $1 and state = 'running'";
const POSTING = "/billing/api/v3/posting";
type Batch = { id: number; state: string; version: number };

/** The close of last month: a statement comes and is matched, income is accrued, vouchers are generated and exported. */
export async function closingActs(server: ServerToKill) {
  const { rowsOf, inDatabase, request, send } = server;
  const month = addToMonth(monthOf(today), -1);
  const yesterday = addDays(today, -1);
  const stores = await rowsOf<{ villageId: number; partyId: number; enterpriseId: number }>(
    `select v.id "villageId", v.enterprise_id "enterpriseId", min(pv.party_id) "partyId"
      from village v join party_village pv on pv.village_id = v.id join renter r on r.id = pv.party_id
      where not exists (select from period_lock l where l.village_id = v.id) group by 1, 2 order by 1 limit 3`,
  );
  const [{ villageId, partyId, enterpriseId }] = stores as [(typeof stores)[0]];
  const [rent] = await rowsOf<{ id: number }>("select id from fee_subject where code = 'rent' limit 1");
  /** The store whose vouchers the demo has made up to last month. */
  const [posted] = await rowsOf<{ id: number }>(
    "select max(village_id) id from voucher_batch where side = 'income'",
  );
  const ofPosted = { side: "income", month, villageId: posted!.id };
  const places = [...stores.map((of) => of.villageId), posted!.id];
  const ended = async (running: string, values: unknown[]) => {
    await expect.poll(() => rowsOf(running, values), { timeout: TAKEN_UP, interval: 500 }).toEqual([]);
  };
  let serial = 0;

  /** What a phone paid yesterday, and a file of the channel that knows it and others: so many lines. */
  const statementOf = async (count: number): Promise<Doing> => {
    const mchId = String(Number(MERCHANT) + ++serial);
    const merchantAccountId = await inDatabase(async ({ db }) => {
      const act = { tx: db };
      const of = { enterpriseId, name: `微信${mchId}`, kind: "wechat" as const, mchId };
      const id = await addAccount(act, { ...of, holderVillageId: villageId, feeRate: "0.006" });
      await linkAccount(act, { villageId, payType: "wechat", merchantAccountId: id });
      return id;
    });
    const told = Array.from({ length: count }, (_, i) => ({
      no: `SK${mchId}${i}`,
      at: `${yesterday} 09:${String(10 + (i % 50))}:01`,
      amount: 30_000 + i,
      fee: 180,
    }));
    for (const { no, amount } of told.slice(0, 3)) {
      const paid = { channel: "wechat", merchantAccountId, channelTradeNo: `42000${no}` };
      const paidAt = `${yesterday}T09:00:00+08:00`;
      const receipt = { villageId, partyId, amount, ...paid, paidAt, wants: [] };
      const { hash } = await send<{ hash: string }>("/billing/api/v3/flow/preview", receipt);
      await send("/billing/api/v3/flow/receive", { ...receipt, previewHash: hash }, randomUUID());
    }
    const bill = wechatBill(told).replaceAll(MERCHANT, mchId);
    const key = randomUUID();
    return {
      ask: () => {
        const form = new FormData();
        form.set("merchantAccountId", String(merchantAccountId));
        form.append("file", new Blob([bill]), "账单.csv");
        return request("POST", "/billing/api/v3/statement", form, key);
      },
      rest: async () => {
        if (count > LONG_LINES) await ended(RUNNING, [merchantAccountId]);
      },
      end: () =>
        rowsOf(
          `select (select json_build_array(count(*), sum(line_count), sum(new_count)) from statement
              where merchant_account_id = $1) files,
            (select json_build_array(count(*), sum(amount), sum(fee)) from statement_line
              where merchant_account_id = $1) lines,
            (select json_agg(json_build_array(result, n, fixed) order by result) from (select result, count(*) n,
              sum(fee_fixed) fixed from reconcile_item where merchant_account_id = $1 group by 1) i) items,
            (select json_agg(json_build_array(account, fen) order by account) from (select account,
              sum(debit - credit) fen from journal_line where merchant_account_id = $1 group by 1) j) books`,
          [merchantAccountId],
        ),
    };
  };

  const statement: Act = () => statementOf(200);
  const long: Act = () => statementOf(LONG_LINES + 1);

  /** Bills of last month in three stores. */
  const accrue: Act = async () => {
    const bills: number[] = [];
    const period = { periodStart: firstOf(month), periodEnd: lastOf(month) };
    for (const of of stores) {
      const lines = [{ feeSubjectId: rent!.id, ...period, quantity: "1", price: 70_000 }];
      const bill = { ...of, title: "补收租金", dueDate: lastOf(month), lines };
      bills.push((await send<{ id: number }>("/billing/api/v3/bill", bill, randomUUID())).id);
    }
    const key = randomUUID();
    const villageIds = stores.map((of) => of.villageId);
    return {
      ask: () => send("/billing/api/v3/accrual/run", { villageIds, month }, key),
      end: () =>
        rowsOf(
          `select l.bill_id = any($1) mine, count(a.id)::int n, sum(a.gross) gross, sum(a.tax) tax,
              count(distinct a.entry_id)::int entries
            from bill_line l left join accrual_row a on a.bill_line_id = l.id where l.bill_id = any($1) group by 1`,
          [bills],
        ),
    };
  };

  /** As before any voucher of the month was made. */
  async function cleared(): Promise<void> {
    const batches = await rowsOf<Batch>(
      `select id, state, version from voucher_batch where side = 'income' and village_id = any($1) and month = $2
        and state in ('generated', 'exported')`,
      [places, month],
    );
    for (const { id, state, version } of batches) {
      const at = `${POSTING}/${id}`;
      if (state === "generated") await request("DELETE", `${at}?version=${version}`, undefined, randomUUID());
      else await request("PUT", `${at}/reopen`, { version, reason: "再试一次" }, randomUUID());
    }
  }
  const generating = () => {
    const key = randomUUID();
    return () => send<{ id: number }>(POSTING, ofPosted, key);
  };
  const vouchers = () =>
    rowsOf(
      `select b.state, b.debit, b.credit, b.vouchers, b.file_version, count(distinct v.id)::int made,
          sum(l.debit) booked, count(l.*)::int lines,
          (select count(*)::int from period_lock p where p.village_id = b.village_id and p.month = $2 and p.side = 'income') locks
        from voucher_batch b left join voucher v on v.batch_id = b.id left join voucher_line l on l.voucher_id = v.id
        where b.village_id = any($1) and b.month = $2 and b.side = 'income' and b.state in ('generated', 'exported')
        group by b.id order by b.village_id`,
      [places, month],
    );
  const generate: Act = async () => {
    await cleared();
    return { ask: generating(), end: vouchers };
  };
  const exported: Act = async () => {
    await cleared();
    const { id } = await generating()();
    const { version } = await request<Batch>("GET", `${POSTING}/${id}`);
    const key = randomUUID();
    return { ask: () => send(`${POSTING}/${id}/export`, { version, format: "csv" }, key), end: vouchers };
  };
  const many: Act = async () => {
    await cleared();
    const key = randomUUID();
    const body = { side: "income", month, villageIds: places, accrue: true };
    return {
      ask: () => send("/billing/api/v3/postingRun", body, key),
      rest: () => ended("select 1 from posting_run where state = 'running'", []),
      end: vouchers,
    };
  };
  return { acts: { statement, accrue, generate, export: exported }, jobs: { long, many } };
}
