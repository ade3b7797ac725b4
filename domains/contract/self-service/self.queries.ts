import { sql } from "kysely";
import { type Day, addDays, maxDay, minDay } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { openActOf } from "../act/act.queries.ts";
import { ACT_KIND_WORDS, type ActKind, type ActState } from "../act/act.rules.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import { SAID as SIGNING } from "../esign/esign.rules.ts";
import type { Knocked } from "../esign/link.service.ts";
import { endOfTerm } from "../renewal/renewal.rules.ts";
import { AHEAD_DAYS } from "../settlement/settlement.rules.ts";
import { agreed, rentsOn } from "../succession/agreed.rules.ts";
import { depositHeld, successionRefusal } from "../succession/succession.queries.ts";
import { roomsLeft } from "../succession/succession.rules.ts";
import { changeRefusal, renewalOf } from "../successor/ask.service.ts";
import { SAID, firstWish, lastWish, sendRefusal } from "./self.rules.ts";

export type SelfLink = Knocked & {
  id: number;
  contractId: number;
  villageId: number;
  state: "sent" | "opened" | "revoked";
  name: string;
  expiresAt: string;
};
/** A lease that its tenant may look at: days and party stand. */
type Lease = ContractRecord & { start: Day; end: Day };

const linkBy = (read: Pick<Read, "tx">, token: string, lock: boolean): Promise<SelfLink | undefined> => {
  const query = read.tx.selectFrom("selfLink").selectAll().where("hash", "=", hashOf(token));
  return (lock ? query.forNoKeyUpdate() : query).executeTakeFirst() as Promise<SelfLink | undefined>;
};

/** The lease of a link; of one that leads nowhere any more it is said why. With `lock` the contract is held before the link. */
export async function linkOf(read: Read, token: string, lock = false) {
  const first = await linkBy(read, token, false);
  if (!first) throw new Refusal("notFound", SIGNING.unknown, 404);
  const contract = (await recordById(read, first.contractId, lock)) as Lease;
  const link = lock ? (await linkBy(read, token, true))! : first;
  if (link.state === "revoked") throw new Refusal("gone", SAID.revoked, 410);
  if (new Date(link.expiresAt) <= read.now) throw new Refusal("gone", SAID.expired, 410);
  if (sendRefusal(contract.state)) throw new Refusal("gone", SAID.over, 410);
  return { link, contract };
}

/** Why a tenant cannot ask for a renewal, by what a renewal itself is refused for. */
export async function renewWhy(read: Read, contract: Lease, months = 12): Promise<string | undefined> {
  const ways = { deposit: "carry", rest: "refund", credit: "carry", arrearsReason: "", reason: "" } as const;
  const end = endOfTerm(addDays(contract.end, 1), months);
  try {
    const { start } = await renewalOf(read, contract, { contractId: contract.id, end, rents: [], ...ways });
    return await successionRefusal(read, contract, { id: null, kind: "renewal", start, arrearsReason: "" });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.fields[0]?.msg ?? error.message;
  }
}

/** Why a tenant cannot ask for another room, whatever the day. */
export async function moveWhy(read: Read, contract: Lease): Promise<string | undefined> {
  const { today } = read;
  if (changeRefusal(contract, "room")) return "您的合同换房请联系管家办理";
  if (firstWish(today, contract.start) > lastWish(today, contract.end)) return "租期即将结束，请联系管家办理";
  const after = { id: null, kind: "changeRoom" as const, start: today, arrearsReason: "" };
  return successionRefusal(read, contract, after);
}

type Bill = {
  id: number;
  title: string;
  from: Day | null;
  to: Day | null;
  dueOn: Day;
  open: Fen;
  late: boolean;
};
type Under = { actNo: string; kind: ActKind; state: ActState; effectiveOn: Day; reason: string };
const MOST_BILLS = 60;

/** A lease as its tenant reads it: what it costs, what is open, what is under way, and what he may ask for. */
export async function leaseOf(read: Read, contract: Lease) {
  const { id, start, end } = contract;
  const { today } = read;
  const rents = rentsOn(agreed(contract), minDay(maxDay(today, start), end));
  const { rows: bills } = await sql<Bill>`
    select b.id, b.title, b.period_start "from", b.period_end "to", b.due_date "dueOn", b.outstanding "open",
      b.due_date < ${today}::date late
    from receivable_open b where b.contract_id = ${id} order by b.due_date, b.id limit ${MOST_BILLS}`.execute(
    read.tx,
  );
  const money = await read.tx
    .selectFrom("contractMoney")
    .select(["nextDueOn", "nextDueFen", "outstanding"])
    .where("contractId", "=", id)
    .executeTakeFirst();
  const { rows: acts } = await sql<Under & { open: boolean; endReason: string; source: string }>`
    select act_no "actNo", kind, state, effective_on "effectiveOn", reason, act_is_open(state) "open", source,
      end_reason "endReason"
    from contract_act where contract_id = ${id} order by id desc limit 1`.execute(read.tx);
  const [last] = acts;
  const busy = (await openActOf(read, id)) && SAID.busy;
  return {
    contractNo: contract.contractNo,
    roomNames: contract.roomNames,
    start,
    end,
    rent: roomsLeft(agreed(contract)).reduce((sum, r) => sum + (rents.get(r.roomId) ?? 0), 0),
    held: await depositHeld(read, id),
    nextOn: money?.nextDueOn ?? null,
    nextFen: money?.nextDueFen ?? null,
    owed: money?.outstanding ?? 0,
    bills,
    request: last?.open
      ? {
          actNo: last.actNo,
          title: ACT_KIND_WORDS[last.kind][0],
          state: last.state,
          effectiveOn: last.effectiveOn,
          reason: last.source === "renter" ? last.reason : "",
          waits: last.state === "requested",
        }
      : null,
    refused:
      last?.state === "rejected"
        ? { actNo: last.actNo, title: ACT_KIND_WORDS[last.kind][0], reason: last.endReason }
        : null,
    leave: {
      why: busy ?? (contract.nextId === null ? null : "合同已续租，如需退房请联系管家"),
      first: maxDay(today, start),
      last: contract.state === "expired" ? addDays(today, AHEAD_DAYS) : lastWish(today, end),
    },
    renew: { why: busy ?? (await renewWhy(read, contract)) ?? null, start: addDays(end, 1) },
    move: {
      why: busy ?? (await moveWhy(read, contract)) ?? null,
      first: firstWish(today, start),
      last: lastWish(today, end),
    },
  };
}

const PAGES = {
  settle: "72.query",
  renew: "73.query",
  change: "96.query",
  application: "236.query",
} as const;

/** How many requests wait in the caller's villages, page by page. */
export async function waitingCounts({ tx, who }: Read): Promise<Record<keyof typeof PAGES, number>> {
  const { rows } = await sql<Record<keyof typeof PAGES, number>>`
    select count(*) filter (where kind = 'settle')::int settle, count(*) filter (where kind = 'renew')::int renew,
      count(*) filter (where kind = 'changeRoom')::int change,
      (select count(*) from lease_application where village_id = ${anyOf(who.villages)} and state = 'submitted')::int application
    from contract_act where state = 'requested' and village_id = ${anyOf(who.villages)}`.execute(tx);
  const counts = rows[0]!;
  const shown = (key: keyof typeof PAGES) => (who.permits.has(PAGES[key]) ? counts[key] : 0);
  return {
    settle: shown("settle"),
    renew: shown("renew"),
    change: shown("change"),
    application: shown("application"),
  };
}
