import { sql } from "kysely";
import { type Day, daysBetween, maxDay } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { isMobile } from "../../../platform/kernel/texts/contact.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { sendNotices } from "../../customer/push/notice.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { ACT_OPEN, type ActState, OPEN } from "../act/act.rules.ts";
import { changedPreview, stepsOf } from "../act/act.service.ts";
import { configOf } from "../config/config.service.ts";
import { partyFacts } from "../contract/facts.queries.ts";
import { type ContractRecord, contractNote, contractRecord } from "../contract/record.queries.ts";
import { weighDraft } from "../preview/preview.service.ts";
import { settleDraft } from "../settlement/settlement.contract.ts";
import { AHEAD_DAYS } from "../settlement/settlement.rules.ts";
import { SETTLE } from "../settlement/settlement.service.ts";
import { submit } from "../signing/submit.service.ts";
import { windowRefusal } from "../succession/succession.rules.ts";
import { askRenewal } from "../successor/ask.service.ts";
import type { RenewalAsk } from "../successor/successor.contract.ts";
import { followRefusal, INTENTS, type Intent } from "./renewal.rules.ts";
import { weighRenewal } from "./weigh.service.ts";
import { isInForce } from "../contract/contract.rules.ts";

type Heard = { intent: Exclude<Intent, "none">; note: string; nextOn?: Day | null | undefined };

/** What was heard last stands with the contract; what was heard before is on its timeline. */
export async function follow(act: Act, contract: ContractRecord, { intent, note, nextOn }: Heard) {
  const heard = {
    intent,
    note: note.slice(0, 200),
    nextOn: nextOn ?? null,
    followedAt: act.now.toISOString(),
    followedBy: act.who.operatorId || null,
  };
  await act.tx
    .insertInto("renewalFollow")
    .values({ contractId: contract.id, ...heard })
    .onConflict((c) =>
      c.column("contractId").doUpdateSet({ ...heard, version: sql`renewal_follow.version + 1` }),
    )
    .execute();
  const again = nextOn ? `，下次跟进 ${nextOn}` : "";
  await act.note(contractNote(contract, "续租跟进", `意向${INTENTS[intent][0]}：${note}${again}`));
}

export async function followContract(act: Act, id: number, heard: Heard): Promise<{ id: number }> {
  const contract = await contractRecord(act, id, true);
  refuseRenewed(contract);
  if (heard.intent === "leaving") {
    const open = await openAct(act, id);
    if (open?.kind === "renew") throw new Refusal("actOpen", `续租 ${open.actNo} 正在办理，请先取消`, 409);
  }
  await follow(act, contract, heard);
  return { id };
}

function refuseRenewed({ state, nextId }: ContractRecord): void {
  const why = followRefusal({ nextId, contractState: state });
  if (why) throw new Refusal("notAllowed", why, 409);
}

const openAct = (read: Pick<Read, "tx">, contractId: number) =>
  read.tx
    .selectFrom("contractAct")
    .select(["actNo", "kind"])
    .where("contractId", "=", contractId)
    .where("state", "in", [...OPEN])
    .executeTakeFirst();

/** The tenant does not stay: the settlement of the last day is asked for, unless that lies too far ahead or it was before. */
export async function decline(act: Act, id: number, reason: string) {
  const contract = await contractRecord(act, id, true);
  refuseRenewed(contract);
  const open = await openAct(act, id);
  if (open && open.kind !== "settle") throw new Refusal("actOpen", `${ACT_OPEN}（${open.actNo}）`, 409);
  await follow(act, contract, { intent: "leaving", note: reason });
  const effectiveOn = maxDay(contract.end!, act.today);
  if (open || daysBetween(act.today, effectiveOn) > AHEAD_DAYS) return { id, actNo: open?.actNo ?? null };
  const draft = settleDraft.parse({ effectiveOn, endReason: "normal", noticeOn: act.today, reason });
  const { actNo } = await stepsOf(SETTLE).ask(act, { ...draft, contractId: id });
  return { id, actNo };
}

export type HandedIn = {
  id: number;
  actNo: string;
  contractId: number;
  contractNo: string;
  state: ActState;
  version: number;
};

/** Asks for a renewal and hands it in, with the hash of what was shown; in one transaction or not at all. */
export async function handIn(act: Act, ask: RenewalAsk, previewHash: string): Promise<HandedIn> {
  const shown = await weighRenewal(act, ask);
  if (shown.previewHash !== previewHash) {
    const taken = shown.obstacles.find((o) => o.code === "roomTaken");
    throw taken ? new Refusal(taken.code, taken.msg, 409) : changedPreview(shown);
  }
  const { contractId, contractNo, id, actNo } = await askRenewal(act, ask);
  const drawn = await weighDraft(act, await contractRecord(act, contractId));
  await submit(act, contractId, { previewHash: drawn.preview.previewHash });
  const now = await act.tx
    .selectFrom("contractAct")
    .select(["state", "version"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { id, actNo, contractId, contractNo, state: now.state as ActState, version: now.version };
}

/** A text message asks the tenant to renew; once a day for each contract. */
export async function invite(act: Act, ids: readonly number[]) {
  const rows: { id: number; contractNo: string; partyName: string; refusal: string | null }[] = [];
  const { rows: found } = await sql<{ id: number }>`
    select c.id from contract c where c.village_id = ${anyOf(act.who.villages)}
      and c.id = any(${ids as number[]}::bigint[])`.execute(act.tx);
  const inScope = new Set(found.map((r) => r.id));
  for (const id of ids.filter((one) => inScope.has(one))) {
    const contract = await contractRecord(act, id);
    const { contractNo, partyName } = contract;
    const refusal = await inviteOne(act, contract);
    rows.push({ id, contractNo, partyName, refusal: refusal ?? null });
  }
  return { sent: rows.filter((r) => r.refusal === null).length, rows };
}

async function inviteOne(act: Act, contract: ContractRecord): Promise<string | undefined> {
  const { id, state, nextId, partyId, roomNames, end, villageId, enterpriseId } = contract;
  if (nextId !== null) return "该合同已续租";
  if (!isInForce(state)) return "合同不在租";
  if (await openAct(act, id)) return "合同有进行中的办理";
  const { renewalWindowDays } = await configOf(act, contract);
  const early = windowRefusal(end!, act.today, renewalWindowDays);
  if (early) return early;
  const party = (await partyFacts(act, [partyId!])).get(partyId!);
  if (!party || !isMobile(party.phone)) return "没有登记有效的手机号";
  const passed = end! < act.today;
  await sendNotices(act, [
    {
      notice: "续租邀请",
      channel: "sms",
      recipient: party.phone,
      body: `${party.name}您好，您租住的${roomNames}合同${passed ? "已" : "将"}于${end}到期，如需续租请尽快联系管家办理。`,
      source: "notice",
      sourceId: id,
      partyId: party.partyId,
      villageId,
      enterpriseId,
      once: `renewal.invite.${id}.${act.today}`,
    },
  ]);
  await act.note(contractNote(contract, "续租邀请", `已向${party.name}发送续租邀请短信`));
  return undefined;
}

/** Who looks after the contract hears it: its keeper, else the store's manager. */
export async function tellKeeper(act: Act, contract: ContractRecord, title: string, content: string) {
  const { rows } = await sql<{ id: number | null }>`
    select coalesce(k.id, v.manager_id) id from village v
    left join operator k on k.id = ${contract.managerId} and k.state = 'active' where v.id = ${contract.villageId}`.execute(
    act.tx,
  );
  const keeper = rows[0]?.id;
  if (!keeper) return;
  await tell(act, {
    to: [keeper],
    type: 3,
    title,
    content,
    bizType: "contract",
    bizId: contract.id,
    villageId: contract.villageId,
    facts: [
      ["客户", contract.partyName],
      ["房间", contract.roomNames],
      ["到期日", contract.end!],
    ],
  });
}
