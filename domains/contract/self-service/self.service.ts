import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { smsLink } from "../../access/sms/sms.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { actRecord, openActOf } from "../act/act.queries.ts";
import { ACT_KIND_WORDS } from "../act/act.rules.ts";
import { stepsOf } from "../act/act.service.ts";
import { type Request, endRequest, keepRequest } from "../act/request.service.ts";
import { demand } from "../contract/contract.queries.ts";
import { type ContractRecord, contractNote, contractRecord } from "../contract/record.queries.ts";
import { addressOf } from "../esign/driver.service.ts";
import { HOUR_MS } from "../esign/esign.rules.ts";
import { asSigner } from "../esign/flow.queries.ts";
import { signerOf } from "../esign/subject.service.ts";
import { refuseStranger } from "../esign/link.service.ts";
import { follow } from "../renewal/renewal.service.ts";
import { settleDraft } from "../settlement/settlement.contract.ts";
import { SETTLE } from "../settlement/settlement.service.ts";
import { sendSelfLink } from "./self.contract.ts";
import { leaseOf, linkOf, moveWhy, renewWhy } from "./self.queries.ts";
import { LINK_DAYS, SAID, firstWish, lastWish, linkText, sendRefusal } from "./self.rules.ts";

const settle = stepsOf(SETTLE);
const WAYS = { deposit: "carry", credit: "carry", arrearsReason: "" } as const;

export const enterpriseName = async ({ tx }: Pick<Act, "tx">, { enterpriseId }: ContractRecord) =>
  (await tx.selectFrom("enterprise").select("name").where("id", "=", enterpriseId).executeTakeFirstOrThrow())
    .name;

/** A link to the page of a lease; one that was sent before leads nowhere any more. */
export async function sendLink(act: Act, contractId: number) {
  const contract = await contractRecord(act, contractId, true);
  demand(act.who, contract.kind, sendSelfLink.needs);
  const no = sendRefusal(contract.state);
  if (no) throw new Refusal("notAllowed", no, 409);
  const { villageId, enterpriseId } = contract;
  const signer = await signerOf(act, contract);
  await act.tx
    .updateTable("selfLink")
    .set({ state: "revoked" })
    .where("contractId", "=", contractId)
    .where("state", "<>", "revoked")
    .execute();
  const token = randomBytes(16).toString("base64url");
  const expiresAt = new Date(act.now.getTime() + LINK_DAYS * 24 * HOUR_MS).toISOString();
  const { id } = await act.tx
    .insertInto("selfLink")
    .values({
      contractId,
      villageId,
      hash: hashOf(token),
      ...signer,
      expiresAt,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const path = `/esign/m/${token}`;
  const enterprise = await enterpriseName(act, contract);
  const phone = maskPhone(signer.phone);
  await smsLink(
    act,
    {
      recipient: signer.phone,
      body: linkText(enterprise, "••••••"),
      sourceId: id,
      partyId: contract.partyId!,
      villageId,
      enterpriseId,
    },
    { enterprise, name: "我的合同", link: addressOf(act, path), hours: LINK_DAYS * 24 },
  );
  await act.note(contractNote(contract, "发送自助链接", `发送至 ${phone}`));
  return { id, phone, expiresAt, path };
}

/** The lease of who names the last four characters, and who stands for him: nobody, in the store of the lease alone. */
async function known(act: Act, token: string, last4: string) {
  const { link, contract } = await linkOf(act, token, true);
  const keep = (set: object) => act.tx.updateTable("selfLink").set(set).where("id", "=", link.id).execute();
  await refuseStranger(act, link, last4, keep);
  const as = asSigner(act, { ...contract, createdBy: null });
  return { link, contract, as, keep };
}

export async function openMine(act: Act, token: string, last4: string) {
  const { link, contract, as, keep } = await known(act, token, last4);
  await keep({
    openTries: 0,
    ...(link.state === "sent" && { state: "opened", openedAt: act.now.toISOString() }),
  });
  return leaseOf(as, contract);
}

type Told = { id: number; kind: string };
/** Where a request is taken up; without one, the contract. */
function opensOn(contractId: number, request: Told | undefined) {
  if (request?.kind === "settle") return { bizType: "settlement", bizId: request.id };
  if (request?.kind === "changeRoom") return { bizType: "changeRoom", bizId: request.id };
  if (request?.kind === "renew") return { bizType: "renewalDesk", bizId: contractId };
  return { bizType: "contract", bizId: contractId };
}

/** Who looks after the contract hears it, and who leads the store. */
export async function tellStore(
  act: Act,
  contract: Pick<ContractRecord, "id" | "villageId" | "partyName" | "roomNames">,
  { title, content, once, request }: { title: string; content: string; once?: string; request?: Told },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select o.id from contract c join village v on v.id = c.village_id
    join operator o on o.id in (c.manager_operator_id, v.manager_id) and o.state = 'active'
    where c.id = ${contract.id} order by o.id`.execute(act.tx);
  await tell(act, {
    to: rows.map((r) => r.id),
    type: 3,
    title,
    content,
    ...opensOn(contract.id, request),
    villageId: contract.villageId,
    facts: [
      ["客户", contract.partyName],
      ["房间", contract.roomNames],
    ],
    ...(once && { once }),
  });
}

async function told(
  act: Act,
  contract: ContractRecord,
  { id, actNo }: Request,
  kind: "settle" | "renew" | "changeRoom",
  text: string,
): Promise<{ actNo: string }> {
  const word = ACT_KIND_WORDS[kind][0];
  await tellStore(act, contract, {
    title: `${contract.partyName}申请${word}`,
    content: `${contract.partyName}在自助页面提交了${word}申请 ${actNo}：${text}。请受理或驳回。`,
    request: { id, kind },
  });
  return { actNo };
}

/** The tenant gives notice: by the rules of a leaving that a clerk registers, from today on. */
export async function askLeave(
  act: Act,
  token: string,
  { last4, effectiveOn, reason }: { last4: string; effectiveOn: string; reason: string },
) {
  const { contract, as } = await known(act, token, last4);
  if (effectiveOn < act.today) throw invalid({ field: "effectiveOn", msg: "退房日不能早于今天" });
  if (effectiveOn < contract.start) throw invalid({ field: "effectiveOn", msg: "退房日不能早于起租日" });
  const endReason = effectiveOn < contract.end ? "early" : "normal";
  const draft = settleDraft.parse({ effectiveOn, endReason, noticeOn: act.today, reason });
  const made = await settle.request(as, contract.id, draft);
  return told(as, contract, made, "settle", `${effectiveOn} 退房，${reason}`);
}

export async function askToStay(
  act: Act,
  token: string,
  { last4, months, note }: { last4: string; months: number; note: string },
) {
  const { contract, as } = await known(act, token, last4);
  const why = await renewWhy(as, contract, months);
  if (why) throw new Refusal("notAllowed", why, 409);
  const text = `续租 ${months} 个月${note && `，${note}`}`;
  const made = await keepRequest(as, contract, {
    kind: "renew",
    target: "renewal",
    effectiveOn: addDays(contract.end, 1),
    reason: text,
    payload: { ...WAYS, reason: text, months },
  });
  await follow(as, contract, { intent: "willing", note: `租客申请${text}` });
  return told(as, contract, made, "renew", text);
}

export async function askToMove(
  act: Act,
  token: string,
  { last4, effectiveOn, reason }: { last4: string; effectiveOn: string; reason: string },
) {
  const { contract, as } = await known(act, token, last4);
  const why = await moveWhy(as, contract);
  if (why) throw new Refusal("notAllowed", why, 409);
  const [first, last] = [firstWish(act.today, contract.start), lastWish(act.today, contract.end)];
  if (effectiveOn < first || effectiveOn > last)
    throw invalid({ field: "effectiveOn", msg: `入住日须在 ${first} 至 ${last} 之间` });
  const made = await keepRequest(as, contract, {
    kind: "changeRoom",
    target: "changeRoom",
    effectiveOn,
    reason,
    payload: { ...WAYS, reason },
  });
  return told(as, contract, made, "changeRoom", `希望 ${effectiveOn} 起换房，${reason}`);
}

/** The tenant takes back what nobody has taken up yet. */
export async function takeBack(act: Act, token: string, last4: string): Promise<{ actNo: string }> {
  const { contract, as } = await known(act, token, last4);
  const waits = await as.tx
    .selectFrom("contractAct")
    .select(["id"])
    .where("contractId", "=", contract.id)
    .where("state", "=", "requested")
    .executeTakeFirst();
  if (!waits)
    throw new Refusal(
      "notAllowed",
      (await openActOf(as, contract.id)) ? SAID.taken : "没有可以撤回的申请",
      409,
    );
  const record = await actRecord(as, waits.id, ["settle", "renew", "changeRoom"], true);
  const { id, actNo, kind, version } = record;
  const reason = "租客撤回";
  if (kind === "settle")
    await settle.step(as, id, version, "cancel", { set: { endReason: reason }, text: reason, drop: true });
  else {
    const target = kind === "renew" ? "renewal" : "changeRoom";
    await endRequest(as, record, "cancel", { target, text: reason, reason });
  }
  const word = ACT_KIND_WORDS[kind][0];
  await tellStore(as, contract, {
    title: `${contract.partyName}撤回了${word}申请`,
    content: `${contract.partyName}撤回了${word}申请 ${actNo}。`,
  });
  return { actNo };
}
