import type { Day } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { isMobile } from "../../../platform/kernel/texts/contact.ts";
import { revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { type Act, type Read, entryOn } from "../../../platform/server/pipeline/act.ts";
import { sendNotices } from "../../customer/push/notice.service.ts";
import { partyFacts } from "../contract/facts.queries.ts";
import { type ContractRecord, contractNote, contractRecord } from "../contract/record.queries.ts";
import { type ActRecord, actRecord, refuseOpenAct } from "./act.queries.ts";
import { ACT_KINDS, ACT_KIND_WORDS, type ActKind, movesOf } from "./act.rules.ts";

/** What waits on a contract until somebody takes it up. */
export type Request = { id: number; actNo: string; version: number };

/** The tenant's request that an act of this kind takes up, if one waits; refused (409 actOpen) where anything else is under way. */
export async function requestFor(
  read: Pick<Read, "tx">,
  contractId: number,
  kind: ActKind,
): Promise<Request | undefined> {
  await refuseOpenAct(read, contractId, kind);
  return read.tx
    .selectFrom("contractAct")
    .select(["id", "actNo", "version"])
    .where("contractId", "=", contractId)
    .where("kind", "=", kind)
    .where("state", "=", "requested")
    .executeTakeFirst();
}

type Wanted = { kind: ActKind; target: string; effectiveOn: Day; reason: string; payload: object };

/** Keeps what a tenant asks for himself: it waits as an act that nobody works on yet. */
export async function keepRequest(
  act: Act,
  contract: ContractRecord,
  { payload, target, ...wanted }: Wanted,
): Promise<Request> {
  await refuseOpenAct(act, contract.id);
  const [actNo] = await act.numbers(ACT_KINDS[wanted.kind]);
  const { id, version } = await act.tx
    .insertInto("contractAct")
    .values({
      ...wanted,
      actNo: actNo!,
      contractId: contract.id,
      villageId: contract.villageId,
      state: "requested",
      source: "renter",
      requestedOn: act.today,
      payload: JSON.stringify(payload),
      ...stamp(act),
    })
    .returning(["id", "version"])
    .executeTakeFirstOrThrow();
  const action = `租客申请${ACT_KIND_WORDS[wanted.kind][0]}`;
  const text = `${wanted.effectiveOn}：${wanted.reason}`;
  await act.note([
    contractNote(contract, action, `${actNo} ${text}`),
    entryOn(target, { id, villageId: contract.villageId }, actNo!, action, text),
  ]);
  return { id, actNo: actNo!, version };
}

/** Ends what waits: refused by the keeper, or taken back by the tenant. On the timeline of the contract and on its own. */
export async function endRequest(
  act: Act,
  record: ActRecord,
  move: "reject" | "cancel",
  { target, text, reason }: { target: string; text: string; reason: string },
): Promise<{ id: number; state: ActRecord["status"]; version: number }> {
  const { id, actNo, villageId, version, kind } = record;
  const moves = movesOf(kind);
  const state = moves.next(move, { status: record.status, agreed: false, frozen: record.frozen });
  const row = await revise(
    act,
    "contractAct",
    { id, version },
    { state, endReason: reason.slice(0, 200), ...stamp(act) },
  );
  const contract = await contractRecord(act, record.contractId);
  const action = `${ACT_KIND_WORDS[kind][0]}${moves.label(move)}`;
  await act.note([
    contractNote(contract, action, `${actNo} ${text}`),
    entryOn(target, { id, villageId }, actNo, action, text),
  ]);
  return { id: row.id, state, version: row.version };
}

/** Says no to what waits of one of these kinds; the tenant reads why. */
export async function rejectRequest(
  act: Act,
  id: number,
  kinds: readonly ActKind[],
  target: string,
  { version, reason }: { version: number; reason: string },
) {
  const seen = await actRecord(act, id, kinds);
  const contract = await contractRecord(act, seen.contractId, true);
  const record = await actRecord(act, id, kinds, true);
  asSeen(record, version);
  const done = await endRequest(act, record, "reject", { target, text: reason, reason });
  await answerTenant(act, contract, record, reason);
  return done;
}

/** A text message tells the tenant what became of what he asked for: taken up, or refused with the reason. */
export async function answerTenant(
  act: Act,
  contract: ContractRecord,
  request: Pick<ActRecord, "id" | "kind" | "actNo">,
  refusal?: string,
): Promise<void> {
  const party = (await partyFacts(act, [contract.partyId!])).get(contract.partyId!);
  if (!party || !isMobile(party.phone)) return;
  const word = ACT_KIND_WORDS[request.kind][0];
  const what = `${party.name}您好，您对${contract.roomNames}的${word}申请（${request.actNo}）`;
  await sendNotices(act, [
    {
      notice: `${word}申请`,
      channel: "sms",
      recipient: party.phone,
      body: refusal
        ? `${what}未通过：${refusal}。如有疑问请联系管家。`
        : `${what}已受理，管家将与您联系办理。`,
      source: "notice",
      sourceId: request.id,
      partyId: party.partyId,
      villageId: contract.villageId,
      enterpriseId: contract.enterpriseId,
      once: `contract.request.${request.id}.${refusal ? "rejected" : "accepted"}`,
    },
  ]);
}

/** Refuses what is to be done to a request that nobody has taken up yet. */
export function refuseWaiting({ status }: Pick<ActRecord, "status">): void {
  if (status === "requested") throw new Refusal("notAllowed", "请先受理租客的申请", 409);
}
