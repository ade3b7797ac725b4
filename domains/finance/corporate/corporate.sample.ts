import { randomUUID } from "node:crypto";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { addAccount } from "../account/account.service.ts";
import { wantsOf } from "../flow/flow.sample.ts";
import * as calls from "./corporate.contract.ts";

export type Came = {
  day: Day;
  amount: Fen;
  name?: string;
  account?: string;
  summary?: string;
  no?: string;
  out?: boolean;
};

const next = counter();

/** A file of the bank as its counter hands it out. */
export function bankFile(lines: readonly Came[]): Buffer {
  let balance = 0;
  const rows = lines.map((line) => {
    balance += line.out ? -line.amount : line.amount;
    const [into, out] = line.out ? ["", yuan(line.amount, false)] : [yuan(line.amount, false), ""];
    const { name = "", account = "", summary = "" } = line;
    const no = line.no ?? `B${String(next()).padStart(10, "0")}`;
    return [line.day, no, into, out, yuan(balance, false), name, account, summary].join(",");
  });
  return Buffer.from(
    ["交易日期,交易流水号,贷方发生额,借方发生额,余额,对方户名,对方账号,摘要", ...rows, ""].join("\r\n"),
  );
}

/** A company account into which transfers are claimed, with a way to bring its files. */
export async function aCompanyAccount(house: TestHouse, holderVillageId: number | null = null) {
  const n = next();
  const accountId = await addAccount(
    { tx: house.database.db },
    {
      enterpriseId: house.enterpriseId,
      name: `对公账户${n}`,
      kind: "bank",
      statementMode: "claim",
      holderVillageId,
      bankName: "招商银行",
      bankAccountNo: String(622_200_000_000_000 + n),
    },
  );
  const clerk = await house.person({ superType: "1", name: "钱会计" });

  const send = async (file: Buffer, as: Person = clerk, more: Record<string, string> = {}) => {
    const form = new FormData();
    form.set("merchantAccountId", String(accountId));
    for (const [key, value] of Object.entries(more)) form.set(key, value);
    form.append("file", new Blob([new Uint8Array(file)]), "流水.csv");
    const body = new Response(form);
    const answer = await house.app.inject({
      method: "POST",
      url: calls.importBankLines.path,
      headers: {
        "content-type": body.headers.get("content-type")!,
        authorization: as.token,
        "idempotency-key": randomUUID(),
      },
      payload: Buffer.from(await body.arrayBuffer()),
    });
    const { message, data, fields } = answer.json() as {
      message: string;
      data: {
        id: number;
        runId: number | null;
        statementNo: string;
        booked: number;
        newCount: number;
        recognised: number;
      };
      fields?: { field: string; msg: string }[];
    };
    return { status: answer.statusCode, message: fields?.[0]?.msg ?? message, data };
  };

  /** Brings one line, and answers its id. */
  const came = async (line: Came): Promise<number> => {
    await send(bankFile([line]));
    const { rows } = await house.database.pool.query<{ id: number }>(
      "select id::int id from bank_line where merchant_account_id = $1 order by id desc limit 1",
      [accountId],
    );
    return rows[0]!.id;
  };
  const lineOf = (id: number, as: Person = clerk) => house.did(calls.getBankLine, { as }, { params: { id } });
  /** What stands in 2242 for this account. */
  const unclaimed = async (): Promise<Fen> => {
    const { rows } = await house.database.pool.query<{ fen: number }>(
      `select coalesce(sum(credit - debit), 0)::bigint fen from journal_line
        where account = '2242' and merchant_account_id = $1`,
      [accountId],
    );
    return Number(rows[0]!.fen);
  };
  return { accountId, clerk, send, came, lineOf, unclaimed };
}
export type CompanyAccount = Awaited<ReturnType<typeof aCompanyAccount>>;

export type Claiming = {
  lineId: number;
  villageId: number;
  partyId: number;
  amount: Fen;
  /** Paid as far as the amount goes, the oldest first. */
  bills?: readonly number[];
  restToPrepaid?: boolean;
  fileIds?: number[];
};

/** Claims as the drawer does: looks at what it would pay, then sends it with its hash. */
export async function claiming(house: TestHouse, as: Person, of: Claiming) {
  const { bills = [], restToPrepaid = false, fileIds = [], ...head } = of;
  let left = of.amount;
  const open = await house.database.pool.query<{ id: number; outstanding: number }>(
    "select id::int, outstanding::bigint from bill_line where bill_id = any($1)",
    [bills],
  );
  const wants = (await wantsOf(house, bills)).flatMap((want) => {
    const owed = Number(open.rows.find((row) => row.id === want.lineId)?.outstanding ?? 0);
    const amount = Math.min(left, owed);
    left -= amount;
    return amount > 0 ? [{ ...want, amount }] : [];
  });
  const body = { ...head, wants };
  const trial = await house.ask(calls.previewClaim, { as }, { body });
  // somebody else may have been quicker already: the claim is refused as its trial was
  const hash = trial.status === 200 ? trial.body.data.hash : "0".repeat(64);
  return house.ask(
    calls.addClaim,
    { as, key: randomUUID() },
    { body: { ...body, restToPrepaid, fileIds, previewHash: hash } },
  );
}
