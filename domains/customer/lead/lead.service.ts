import { sql } from "kysely";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { agentFor, enterpriseOf } from "../agent/agent.service.ts";
import { blackHit } from "../blacklist/blacklist.service.ts";
import { type LinkedLead, customerOf, relinked } from "./customer.service.ts";
import type { LeadInput } from "./lead.contract.ts";
import { LIVE } from "./lead.rules.ts";

for (const table of ["viewing", "reservation"])
  constraintSays(`${table}_lead_id_fkey`, { code: "gone", msg: "该客源已被删除，请刷新后重试" });
constraintSays("lead_live", { field: "phone", msg: "该手机号已有在跟进的客源" });

type Noted = { id: number; number: string; villageIds: readonly number[] };

/** One line of the business log, in a village that whoever acts may see. */
export const noteLead = (
  act: Act,
  { id, number, villageIds }: Noted,
  entry: { action: string; summary: string; before?: unknown; after?: unknown },
): Promise<void> =>
  act.note({
    kind: "lead",
    recordId: id,
    number,
    villageId: villageIds.find((village) => act.who.villages.includes(village)) ?? villageIds[0]!,
    ...entry,
  });

export type NewEvent = {
  kind: "call" | "wechat" | "visit" | "viewing" | "system";
  content: string;
  nextFollowDay?: string | null;
};

/** Events are written once and stay as they are. Answers their ids. */
export async function addEvent(act: Act, leadIds: readonly number[], event: NewEvent): Promise<number[]> {
  if (!leadIds.length) return [];
  const rows = await act.tx
    .insertInto("leadEvent")
    .values(
      leadIds.map((leadId) => ({
        leadId,
        kind: event.kind,
        content: event.content.slice(0, 500),
        nextFollowDay: event.nextFollowDay ?? null,
        at: act.now.toISOString(),
        operatorId: act.who.operatorId || null,
      })),
    )
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

/** The lead that somebody works on already, whichever store it came to. */
export async function liveLead(read: Read, enterpriseId: number, phone: string) {
  return read.tx
    .selectFrom("lead as l")
    .leftJoin("operator as o", "o.id", "l.ownerId")
    .select(["l.id", "l.number", "l.name", "l.ownerId", "o.realName as ownerName", "l.villageIds"])
    .where("l.enterpriseId", "=", enterpriseId)
    .where("l.phone", "=", phone)
    .where("l.state", "in", [...LIVE])
    .executeTakeFirst();
}

async function refuseSecond(act: Act, enterpriseId: number, phone: string, self = 0): Promise<void> {
  const live = await liveLead(act, enterpriseId, phone);
  if (!live || live.id === self) return;
  const msg = live.ownerName
    ? `该客户已由${live.ownerName}跟进（${live.number}）`
    : `该客户已在公海（${live.number}），可直接领取`;
  throw invalid({ field: "phone", msg });
}

/** Leads that one person takes on stay within what one person can look after; two at once are counted one by one. */
export async function roomFor(act: Act, operatorId: number, name: string, more: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lead.owner'), ${operatorId}::int)`.execute(act.tx);
  const { n } = await act.tx
    .selectFrom("lead")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("ownerId", "=", operatorId)
    .where("state", "in", [...LIVE])
    .executeTakeFirstOrThrow();
  const most = act.settings.LEADS_PER_PERSON;
  if (n + more > most) throw new Refusal("tooMany", `${name}在跟进的客源最多${most}条，目前已有${n}条`, 409);
}

export const typed = (input: Omit<LeadInput, "phone" | "agentId" | "partyId">) => ({
  name: input.name,
  gender: input.gender ?? null,
  source: input.source,
  channelName: input.channelName,
  tags: [...new Set(input.tags)],
  kind: input.kind ?? null,
  layout: input.layout ?? null,
  budgetFrom: input.budgetFrom ?? null,
  budgetTo: input.budgetTo ?? null,
  moveInDay: input.moveInDay ?? null,
  termMonths: input.termMonths ?? null,
  people: input.people ?? null,
  level: input.level,
  remark: input.remark,
});

/** Who brought the customer, where an agent did. */
const agentOf = (
  act: Act,
  input: Pick<LeadInput, "source" | "agentId">,
  customer: Parameters<typeof agentFor>[2],
) => agentFor(act, input.source === "agent" ? input.agentId : null, customer);

/** Registers an enquiry; whoever does it looks after it. One live lead per phone and enterprise, also in a race. */
export async function createLead(act: Act, input: LeadInput): Promise<{ id: number; number: string }> {
  const enterpriseId = await enterpriseOf(act, input.villageIds, "意向门店须属于同一企业");
  if (input.moveInDay && input.moveInDay < act.today)
    throw invalid({ field: "moveInDay", msg: "入住日不能早于今天" });
  await checkWords(act, "customer", "source", [input.source], { field: "source" });
  await refuseSecond(act, enterpriseId, input.phone);
  await roomFor(act, act.who.operatorId, "您", 1);
  const brought = await agentOf(act, input, { enterpriseId, phone: input.phone });
  const hit = await blackHit(act, enterpriseId, { phone: input.phone });
  const [number] = await act.numbers("KY");
  const { id } = await act.tx
    .insertInto("lead")
    .values({
      ...typed(input),
      ...brought,
      number: number!,
      enterpriseId,
      phone: input.phone,
      villageIds: [...new Set(input.villageIds)],
      ownerId: act.who.operatorId,
      ownedAt: act.now.toISOString(),
      ...(await customerOf(act, input.partyId, { ...input, enterpriseId })),
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const summary = `登记客源${input.name}${hit ? "（黑名单提示）" : ""}`;
  await addEvent(act, [id], { kind: "system", content: summary });
  await noteLead(act, { id, number: number!, villageIds: input.villageIds }, { action: "新增", summary });
  return { id, number: number! };
}

type Edited = {
  id: number;
  number: string;
  name: string;
  phone: string;
  enterpriseId: number;
  source: string;
  agentId: number | null;
  agentName: string;
  villageIds: readonly number[];
} & LinkedLead;

/** Villages out of the editor's scope stay as they are; a phone left out does too. */
export async function updateLead(
  act: Act,
  lead: Edited,
  { phone, version, ...input }: Omit<LeadInput, "phone"> & { phone?: string | undefined; version: number },
): Promise<void> {
  const enterpriseId = await enterpriseOf(act, input.villageIds, "意向门店须属于同一企业");
  if (enterpriseId !== lead.enterpriseId)
    throw invalid({ field: "villageIds", msg: "意向门店须属于同一企业" });
  const others = lead.villageIds.filter((id) => !act.who.villages.includes(id));
  const villageIds = [...new Set([...input.villageIds, ...others])];
  if (villageIds.length > 10) throw invalid({ field: "villageIds", msg: "意向门店最多10个" });
  await checkWords(act, "customer", "source", [input.source], { field: "source", kept: [lead.source] });
  if (phone && phone !== lead.phone) await refuseSecond(act, lead.enterpriseId, phone, lead.id);
  const written =
    input.source === "agent" && !input.agentId && lead.agentId === null && lead.agentName !== "";
  if (input.source === "agent" && !input.agentId && !written)
    throw invalid({ field: "agentId", msg: "请选择经纪人" });
  const brought = await agentOf(act, input, {
    enterpriseId,
    phone: phone ?? lead.phone,
    kept: lead.agentId,
  });
  await revise(
    act,
    "lead",
    { id: lead.id, version },
    {
      ...typed(input),
      ...(!written && brought),
      villageIds,
      ...(phone && { phone }),
      ...(await relinked(act, lead, { ...input, phone: phone ?? lead.phone })),
      ...stamp(act),
    },
  );
  await noteLead(
    act,
    { ...lead, villageIds },
    {
      action: "编辑",
      summary: `编辑客源${input.name}${phone && phone !== lead.phone ? "，更换手机号" : ""}`,
      before: { name: lead.name, source: lead.source },
      after: { name: input.name, source: input.source },
    },
  );
}

/** Leads in bulk, of an import: every one of them has been checked. Those without an owner stand in the pool. */
export async function insertLeads(
  act: Act,
  enterpriseId: number,
  leads: readonly { input: LeadInput; ownerId: number | null }[],
  importId: number,
): Promise<void> {
  const now = act.now.toISOString();
  for (let from = 0; from < leads.length; from += 500) {
    const some = leads.slice(from, from + 500);
    const numbers = await act.numbers("KY", some.length);
    const made = await act.tx
      .insertInto("lead")
      .values(
        some.map(({ input, ownerId }, i) => ({
          ...typed(input),
          number: numbers[i]!,
          enterpriseId,
          phone: input.phone,
          villageIds: input.villageIds,
          ownerId,
          ownedAt: ownerId ? now : null,
          poolAt: ownerId ? null : now,
          importId,
          createdAt: now,
          createdBy: act.who.operatorId,
        })),
      )
      .returning(["id", "number", "name", "villageIds"])
      .execute();
    await addEvent(
      act,
      made.map((lead) => lead.id),
      { kind: "system", content: "导入客源" },
    );
    for (const lead of made) await noteLead(act, lead, { action: "新增", summary: `导入客源${lead.name}` });
  }
  // whoever is registered under the same phone is linked, as when a lead is typed in
  await sql`
    update lead set renter_id = k.renter_id from (
      select distinct on (l.id) l.id, p.id renter_id
      from lead l join party p on p.enterprise_id = l.enterprise_id and p.phone = l.phone join renter r on r.id = p.id
      where l.import_id = ${importId} and r.merged_into_id is null and r.anonymised_at is null
      order by l.id, p.name = l.name desc, p.id desc) k
    where k.id = lead.id`.execute(act.tx);
}
