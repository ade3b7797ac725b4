import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import { addDays, addToMonth, lastOf, type Month, monthOf } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount, linkAccount } from "../../finance/account/account.service.ts";
import { runAccrual } from "../../finance/accrual/accrual.service.ts";
import { declareTax } from "../../finance/accrual/tax.service.ts";
import { aBill, aContract, aLine, aParty, aStore } from "../../finance/bill/bill.sample.ts";
import { adjustLines } from "../../finance/bill-acts/adjust.service.ts";
import { issueDue } from "../../finance/bill-acts/change.service.ts";
import { recoverBill, writeOffBill } from "../../finance/bill-acts/writeoff.service.ts";
import { lockBills } from "../../finance/bill/bills.queries.ts";
import { voidBills } from "../../finance/bill/void.service.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { undoClaim } from "../../finance/corporate/claim.service.ts";
import { aCompanyAccount, claiming } from "../../finance/corporate/corporate.sample.ts";
import { takeBack } from "../../finance/statement/run.service.ts";
import { classify, unclassify } from "../../finance/corporate/line.service.ts";
import { aConf } from "../../finance/einvoice/einvoice.sample.ts";
import { reverseFlow, usePrepaid } from "../../finance/flow/allocate.service.ts";
import { bookCost, payCost } from "../../finance/flow/booking.service.ts";
import { BOUND } from "../../finance/flow/flow.rules.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { applying, ISSUING, APPLYING, PERSON, redding } from "../../finance/invoice/invoice.sample.ts";
import { mapUsual } from "../../finance/posting/mapping.service.ts";
import { exportAndLock, generate, reopen } from "../../finance/posting/posting.service.ts";
import { confirmRefund } from "../../finance/refund/refund.contract.ts";
import { applying as refunding, refundOf } from "../../finance/refund/refund.sample.ts";
import { setBilling } from "../../finance/setting/setting.service.ts";
import { foldSums } from "../../finance/sums/sums.service.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { financeReport, trialBalance } from "./books.contract.ts";

const house = await testHouse();
const { pool, db } = house.database;
const DOES = [
  ...["bill", "bill", "cash", "wechat", "wechat", "transfer", "transfer", "claim", "claim", "undoClaim"],
  ...["settle", "unclassify", "reverse", "adjust", "void", "writeOff", "prepaid", "refund", "invoice", "red"],
  ...["undoFile", "cost", "pass", "pass", "close", "close", "reopen", "fold"],
] as const;
const does = fc.record({
  what: fc.constantFrom(...DOES),
  n: fc.nat(999),
  fen: fc.integer({ min: 1, max: 400_000 }),
});

const sound = async () =>
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
let locked = 0;

/** Time goes on from case to case: a bill of one that is issued in another was not issued before it was locked. */
let day = "2026-01-05";

/** What is refused changes nothing; anything else that goes wrong is a fault. */
async function may(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refusal || /: (400|403|404|409|422) /.test((error as Error).message)) return;
    throw error;
  }
}

await acting(house, mapUsual, { superType: "1" });

test(
  "law: whatever two stores do in some months, money is explained, both sides are equal and every tie holds",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(does, { minLength: 25, maxLength: 45 }), async (all) => {
        const start = day;
        const at = (to: string) => {
          day = to;
          house.setClock(`${day}T10:00:00+08:00`);
        };
        at(addDays(day, 1));
        const { enterpriseId } = house;
        const stores = [await aStore(house), await aStore(house)];
        const villages = stores.map((s) => s.villageId);
        await setBilling({ tx: db }, { enterpriseId }, { writeOffMinDays: 0 });
        const bank = await aCompanyAccount(house);
        const account = async (kind: "wechat" | "cash", more: object) => {
          const id = await addAccount(
            { tx: db },
            { enterpriseId, name: `${kind}${randomUUID().slice(0, 8)}`, kind, ...more },
          );
          for (const villageId of villages)
            await linkAccount({ tx: db }, { villageId, payType: kind, merchantAccountId: id });
          return id;
        };
        const wechat = await account("wechat", { feeRate: "0.006" });
        const cash = await account("cash", { holderVillageId: villages[0] });
        for (const villageId of villages)
          await linkAccount(
            { tx: db },
            { villageId, payType: "bankTransfer", merchantAccountId: bank.accountId },
          );
        const own = { wechat, cash, pos: wechat, bankTransfer: bank.accountId };
        await may(() => aConf(house, villages));
        const lead = await house.person({ superType: "1" });
        const issuer = await house.person({ permits: [...APPLYING, ...ISSUING], villages });
        const who = { villages, superType: "1" };
        const acted = <T>(work: Parameters<typeof acting<T>>[1]) => acting(house, work, who);
        const people = await Promise.all(
          stores.map(async (store) => {
            const partyId = await aParty(house, "张三", { villageId: store.villageId });
            return {
              store,
              partyId,
              contractId: await aContract(house, store, partyId, { no: `HT${randomUUID()}` }),
            };
          }),
        );
        /** One of the rows of a query, by chance; nothing where there are none. */
        const one = async <R extends object>(n: number, text: string, ...more: unknown[]) => {
          const { rows } = await pool.query<R>(text, [villages, ...more]);
          return rows[n % Math.max(1, rows.length)];
        };
        const bill = (n: number, ...or: "payable"[]) =>
          one<{
            id: number;
            villageId: number;
            partyId: number;
            outstanding: number;
            lineId: number;
            amount: number;
          }>(
            n,
            `select b.id::int, b.village_id::int "villageId", b.party_id::int "partyId", b.outstanding::int,
             (select min(l.id)::int from bill_line l where l.bill_id = b.id) "lineId", b.amount::int
           from bill b where b.village_id = any($1) and b.voided_at is null and b.direction = any($2) order by b.id`,
            ["receivable", ...or],
          );
        const pay = async (channel: "cash" | "wechat", n: number, fen: number) => {
          const of = await bill(n);
          const person = people.find((p) => p.store.villageId === of?.villageId) ?? people[n % 2]!;
          if (channel === "cash" && person !== people[0]) return;
          const bills = of?.outstanding ? [of.id] : [];
          await take(house, person.store, own, person.partyId, {
            amount: fen,
            channel,
            bills,
            paidAt: `${day}T09:00:00+08:00`,
          });
        };
        const line = (n: number) =>
          one<{ id: number; free: number }>(
            n,
            `select id::int, free::int from bank_line where merchant_account_id = $2 and free > 0 and $1::bigint[] is not null order by id`,
            bank.accountId,
          );
        /** Its months one after the other, by their vouchers; what stands in the way of one keeps it and those after it open. */
        const lockUpTo = async (month: Month, side: "income" | "cost", villageId: number) => {
          const place = { enterpriseId, villageId, name: "" };
          const { rows } = await pool.query<{ month: Month | null }>(
            `select max(month) "month" from period_lock where village_id = $1 and side = $2`,
            [villageId, side],
          );
          let next = rows[0]!.month ?? addToMonth(monthOf(start), -3);
          while ((next = addToMonth(next, 1)) <= month) {
            const id = await acted((act) => generate(act, { place, month: next, side }));
            await acted((act) => exportAndLock(act, [{ id, version: 1 }]));
            locked++;
          }
        };
        const now: Record<(typeof DOES)[number], (n: number, fen: number) => Promise<unknown>> = {
          bill: async (n, fen) => {
            const { store, partyId, contractId } = people[n % 2]!;
            const from = addDays(day, (n % 70) - 30);
            const subject = ["rent", "rent", "property", "damage", "electric", "deposit"][n % 6]!;
            const slices = subject === "deposit" ? [] : [{ from, to: addDays(from, n % 61), amount: fen }];
            const lines = [aLine(subject, fen, { slices })];
            await aBill(house, store, partyId, { contractId, dueDate: addDays(day, (n % 20) - 5), lines });
          },
          cash: (n, fen) => pay("cash", n, fen),
          wechat: (n, fen) => pay("wechat", n, fen),
          transfer: (n, fen) => bank.came({ day, amount: fen, name: n % 3 ? "张三" : "某公司" }),
          claim: async (n, fen) => {
            const [from, of] = [await line(n), await bill(n)];
            const person = people.find((p) => p.store.villageId === of?.villageId) ?? people[n % 2]!;
            if (!from) return;
            const { id } = (
              await sendFile(house, lead, { name: "证明.pdf", bytes: aPdf(), type: "application/pdf" })
            ).body.data;
            const amount = Math.min(from.free, fen);
            const bills = of?.outstanding ? [of.id] : [];
            const { partyId, store } = person;
            await claiming(house, lead, {
              lineId: from.id,
              villageId: store.villageId,
              partyId,
              amount,
              bills,
              restToPrepaid: true,
              fileIds: [id],
            });
          },
          undoClaim: async (n) => {
            const of = await one<{ id: number; version: number }>(
              n,
              "select id::int, version from claim where village_id = any($1) and state = 'approved' order by id",
            );
            if (of) await acted((act) => undoClaim(act, of.id, { version: of.version, reason: "认领有误" }));
          },
          settle: async (n, fen) => {
            const id = await bank.came({ day, amount: fen, name: "财付通" });
            await acted((act) =>
              classify(act, {
                lineId: id,
                kind: "channelSettle",
                amount: Math.max(1, fen - (n % 3)),
                target: { merchantAccountId: wechat, from: day },
              }),
            );
          },
          unclassify: async (n) => {
            const of = await one<{ id: number }>(
              n,
              "select u.id::int from bank_line_use u join bank_line l on l.id = u.bank_line_id where l.merchant_account_id = $2 and u.undone_at is null and $1::bigint[] is not null order by 1",
              bank.accountId,
            );
            if (of) await acted((act) => unclassify(act, of.id, "标错"));
          },
          reverse: async (n) => {
            const of = await one<{ id: number }>(
              n,
              `select id::int from flow where village_id = any($1) and state = 'confirmed'
                 and kind not in (${Object.keys(BOUND)
                   .map((kind) => `'${kind}'`)
                   .join()}) order by id`,
            );
            if (of) await acted((act) => reverseFlow(act, of.id, "入错账"));
          },
          adjust: async (n, fen) => {
            const of = await bill(n, "payable");
            if (of)
              await acted((act) =>
                adjustLines(act, [
                  { lineId: of.lineId, amount: n % 3 ? -Math.min(fen, of.amount) : fen, reason: "协商" },
                ]),
              );
          },
          void: async (n) => {
            const of = await bill(n, "payable");
            if (of?.outstanding === of?.amount && of) await acted((act) => voidBills(act, [of.id], "录错"));
          },
          writeOff: async (n) => {
            const of = await bill(n);
            if (of) await acted((act) => writeOffBill(act, of.id, "失联"));
            if (of && n % 3 === 0)
              await acted(async (act) => {
                const [given] = await lockBills(act, [of.id]);
                await recoverBill(act, given!, "找回");
              });
          },
          prepaid: async (n) => {
            const { store, partyId } = people[n % 2]!;
            await acted((act) => usePrepaid(act, { villageId: store.villageId, partyId }));
          },
          refund: async (n, fen) => {
            const { store, partyId } = people[n % 2]!;
            const asked = {
              source: "prepaid" as const,
              sourceId: partyId,
              amount: fen,
              villageId: store.villageId,
              partyId,
              payeeName: "张三",
            };
            const { status, body } = await refunding(house, lead, asked);
            if (status !== 200 || n % 2) return;
            const { id } = body.data as { id: number };
            const slip = { name: "回单.pdf", bytes: aPdf(), type: "application/pdf" };
            const file = (await sendFile(house, lead, slip, "paper10M")).body.data.id;
            const { version } = await refundOf(house, lead, id);
            await house.ask(
              confirmRefund,
              { as: lead, key: randomUUID() },
              { params: { id }, body: { version, merchantAccountId: bank.accountId, fileIds: [file] } },
            );
          },
          invoice: async (n, fen) => {
            const of = await one<{ id: number; may: number }>(
              n,
              `select l.id::int, least(l.settled, l.amount + l.adjusted)::int - l.invoiced::int - l.invoicing::int may from bill_line l
            join bill b on b.id = l.bill_id join fee_subject s on s.id = l.fee_subject_id
            where b.village_id = any($1) and s.code in ('rent', 'property') and l.kind = 'normal' and l.settled > l.invoiced + l.invoicing order by l.id`,
            );
            if (of && of.may > 0)
              await applying(house, issuer, [{ lineId: of.id, amount: Math.min(of.may, fen) }], {
                ...PERSON,
                issueNow: true,
              });
            await house.deliver();
          },
          red: async (n, fen) => {
            const of = await one<{ id: number; lineId: number; amount: number }>(
              n,
              `select i.id::int, y.bill_line_id::int "lineId", y.amount::int from invoice i join invoice_line y on y.invoice_id = i.id
            where i.village_id = any($1) and i.direction = 'blue' and i.state in ('issued', 'partRed') order by i.id`,
            );
            if (of)
              await redding(house, issuer, of.id, [{ lineId: of.lineId, amount: Math.min(of.amount, fen) }]);
            await house.deliver();
          },
          cost: async (n, fen) => {
            const subject = await db
              .selectFrom("feeSubject")
              .select("id")
              .where("code", "=", "cleaningCost")
              .executeTakeFirstOrThrow();
            await acted(async (act) => {
              const made = await bookCost(act, {
                villageId: villages[n % 2]!,
                payeeName: "保洁",
                feeSubjectId: subject.id,
                amount: fen,
                dueDate: day,
                periodStart: day,
                periodEnd: day,
              });
              if (n % 2)
                await payCost(act, made.id, {
                  amount: fen,
                  channel: "bankTransfer",
                  merchantAccountId: bank.accountId,
                  paidAt: `${day}T09:00:00+08:00`,
                });
            });
          },
          undoFile: async (n) => {
            const of = await one<{ id: number; version: number }>(
              n,
              "select id::int, version from statement where merchant_account_id = $2 and undone_at is null and $1::bigint[] is not null order by id",
              bank.accountId,
            );
            if (of) await acted((act) => takeBack(act, of.id, of.version, "claim"));
          },
          pass: async (n) => {
            at(addDays(day, 1 + (n % 12)));
            await acted((act) => issueDue(act));
            await sound();
          },
          close: async () => {
            const month = monthOf(day);
            at(addDays(lastOf(month), 2));
            await acted((act) => runAccrual(act, { villageIds: villages, month }));
            await acted((act) => declareTax(act, { villageIds: villages, month }));
            await sound();
            for (const side of ["income", "cost"] as const)
              for (const villageId of villages) await may(() => lockUpTo(month, side, villageId));
            await sound();
          },
          reopen: async (n) => {
            const of = await one<{ id: number; version: number }>(
              n,
              `select b.id::int, b.version from voucher_batch b where b.village_id = any($1) and b.state = 'exported'
                 and b.month = (select max(month) from period_lock where village_id = b.village_id and side = b.side) order by b.id`,
            );
            if (of) await acted((act) => reopen(act, of.id, of.version, "补录漏记的账单"));
          },
          fold: () => foldSums(db),
        };
        for (const { what, n, fen } of all) await may(() => now[what](n, fen));
        const query = { from: start, to: addDays(day, 62), villageIds: villages.join(",") } as never;
        const { rest } = await house.did(financeReport, { as: lead }, { query });
        expect(rest.now).toBe(0);
        const { sums } = await house.did(trialBalance, { as: lead }, { query });
        expect([sums!.openDebit, sums!.debit, sums!.closeDebit]).toEqual([
          sums!.openCredit,
          sums!.credit,
          sums!.closeCredit,
        ]);
        const below = await pool.query(
          `select bill_id from (select bill_id, date, sum(sum(debit - credit)) over (partition by bill_id order by date) owed
          from journal_line where account = '1122' group by 1, 2) o where owed < 0`,
        );
        expect(below.rows).toEqual([]);
        // what is owed for costs is the cost side's alone, and whatever takes it back too
        const astray = await pool.query(
          `select e.event from journal_entry e join journal_line l on l.entry_id = e.id
           where e.side <> 'cost' and (l.account = '6401' or l.flow_id in (select id from flow where kind = 'cost'))`,
        );
        expect(astray.rows).toEqual([]);
        await sound();
      }),
      cases(2),
    );
    if (process.env["LAWS"])
      process.stdout.write(`${locked} months of a store and side were locked, up to ${day}\n`);
  },
  cases(2).numRuns * 60_000,
);
