import { sql } from "kysely";
import { canonicalNumber } from "../../../platform/kernel/texts/certificate.ts";
import { maskBank, maskCertificate } from "../../../platform/kernel/texts/mask.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { oneEnterprise } from "../../place/village/village.service.ts";
import { countReveal } from "../record/reveal.service.ts";
import { ruleSeries } from "../commission-rule/rule.service.ts";
import { seenAgency, seenAgent } from "./agency.queries.ts";
import type { AgentEdit, AgentInput } from "./agent.contract.ts";
import { type Enabled, agentRefusal } from "./agent.rules.ts";
import { agencyOver } from "./earned.queries.ts";

/** The one enterprise of villages that whoever acts may see. */
export async function enterpriseOf(
  act: Act,
  villageIds: readonly number[],
  msg = "请选择同一企业的门店",
): Promise<number> {
  for (const villageId of villageIds) inScope(act.who, villageId);
  return oneEnterprise(act, villageIds, msg);
}

/** Villages out of the editor's scope stay as they are. */
export const keptVillages = (act: Act, before: readonly number[], wanted: readonly number[]): number[] => [
  ...new Set([...wanted, ...before.filter((id) => !act.who.villages.includes(id))]),
];

type Bank = { bankHolder: string; bankName: string; bankBranch: string; bankNo?: string | null | undefined };

/** A bank account as it is kept; a number left out stays as it is. */
export const bankColumns = (read: Read, { bankHolder, bankName, bankBranch, bankNo }: Bank) => ({
  bankHolder,
  bankName,
  bankBranch,
  ...(bankNo && { bankNoCipher: read.cipher.seal(bankNo), bankNoMasked: maskBank(bankNo) }),
});

/** One line of the business log, in a village that whoever acts may see. */
export const noteRecord = (
  act: Act,
  kind: Kind,
  of: { id: number; name: string; villageIds: readonly number[] },
  entry: { action: string; summary: string; before?: unknown; after?: unknown },
): Promise<void> =>
  act.note({
    kind,
    recordId: of.id,
    number: of.name,
    villageId: of.villageIds.find((v) => act.who.villages.includes(v)) ?? of.villageIds[0]!,
    ...entry,
  });

export const stamped = (act: Act, version: number) => ({
  version: version + 1,
  ...stamp(act),
});

constraintSays("agent_phone", { field: "phone", msg: "该手机号已登记经纪人" });

const sealed = (read: Read, certNo: string | null | undefined) =>
  certNo
    ? {
        certNoCipher: read.cipher.seal(canonicalNumber(certNo)),
        certNoHash: read.cipher.hash(certNo),
        certNoMasked: maskCertificate(canonicalNumber(certNo)),
      }
    : {};

/** Agency and rule of an agent, of the same enterprise. */
async function belonging(
  act: Act,
  enterpriseId: number,
  input: Pick<AgentInput, "agencyId" | "ruleId">,
  kept: number | null = null,
) {
  // one of other stores, which whoever edits does not see, stays as it is
  if (input.agencyId && input.agencyId !== kept) {
    const agency = await seenAgency(act, input.agencyId);
    if (agency.enterpriseId !== enterpriseId) throw invalid({ field: "agencyId", msg: "请选择所属机构" });
  }
  return {
    agencyId: input.agencyId ?? null,
    ruleId: input.ruleId ? await ruleSeries(act, enterpriseId, input.ruleId) : null,
  };
}

export async function createAgent(
  act: Act,
  input: AgentInput,
  importId: number | null = null,
): Promise<{ id: number }> {
  const enterpriseId = await enterpriseOf(act, input.villageIds);
  const made = await act.tx
    .insertInto("agent")
    .values({
      enterpriseId,
      name: input.name,
      phone: input.phone,
      villageIds: [...new Set(input.villageIds)],
      ...(await belonging(act, enterpriseId, input)),
      ...sealed(act, input.certNo),
      ...bankColumns(act, input),
      importId,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await noteRecord(
    act,
    "agent",
    { ...input, id: made.id },
    { action: "新增", summary: `登记经纪人${input.name}` },
  );
  return made;
}

/** Numbers that are left out stay as they are. */
export async function updateAgent(act: Act, id: number, { version, ...input }: AgentEdit): Promise<void> {
  const agent = await seenAgent(act, id, true);
  asSeen(agent, version);
  const enterpriseId = await enterpriseOf(act, input.villageIds);
  if (enterpriseId !== agent.enterpriseId)
    throw invalid({ field: "villageIds", msg: "请选择同一企业的门店" });
  await act.tx
    .updateTable("agent")
    .set({
      name: input.name,
      ...(input.phone && { phone: input.phone }),
      villageIds: keptVillages(act, agent.villageIds, input.villageIds),
      ...(await belonging(act, enterpriseId, input, agent.agencyId)),
      ...sealed(act, input.certNo),
      ...bankColumns(act, input),
      ...stamped(act, version),
    })
    .where("id", "=", id)
    .execute();
  await noteRecord(
    act,
    "agent",
    { ...agent, name: input.name },
    {
      action: "编辑",
      summary: `编辑经纪人${input.name}${input.bankNo ? "，更换收款账户" : ""}`,
      before: { name: agent.name, agencyId: agent.agencyId, ruleId: agent.ruleId },
      after: { name: input.name, agencyId: input.agencyId ?? null, ruleId: input.ruleId ?? null },
    },
  );
}

export const TITLE = { agent: "经纪人", agency: "机构" } as const;
type Kind = keyof typeof TITLE;

/** Whether an agent or an agency brings customers from now on. */
export async function turn(act: Act, kind: Kind, id: number, version: number, state: Enabled): Promise<null> {
  const of = kind === "agent" ? await seenAgent(act, id, true) : await seenAgency(act, id, true);
  asSeen(of, version);
  await act.tx
    .updateTable(kind)
    .set({ state, ...stamped(act, version) })
    .where("id", "=", id)
    .execute();
  const action = state === "enabled" ? "启用" : "停用";
  await noteRecord(act, kind, of, { action, summary: `${action}${TITLE[kind]}${of.name}` });
  return null;
}

const NUMBERS = { phone: "电话", certNo: "身份证号", bankNo: "银行账号" };
/** A number that is shown masked, whole, to who says why; that is counted and logged. */
export async function revealNumber<F extends keyof typeof NUMBERS>(
  act: Act,
  kind: Kind,
  of: { id: number; name: string; villageIds: readonly number[] },
  { field, reason }: { field: F; reason: string },
  numbers: Record<F, string | Buffer | null>,
): Promise<{ value: string }> {
  const kept = numbers[field];
  const value = typeof kept === "string" ? kept : kept && act.cipher.open(kept);
  if (!value) throw new Refusal("empty", `该${TITLE[kind]}没有登记${NUMBERS[field]}`);
  await countReveal(act);
  await noteRecord(act, kind, of, { action: "查看", summary: `查看完整${NUMBERS[field]}：${reason}` });
  return { value };
}

/** Only whoever never brought anybody goes. */
export async function removeAgent(act: Act, id: number, version: number): Promise<void> {
  const agent = await seenAgent(act, id, true);
  asSeen(agent, version);
  const { rows } = await sql<{ leads: number; reservations: number; contracts: number; commissions: number }>`
    select (select count(*) from lead where agent_id = ${id})::int leads,
      (select count(*) from reservation where agent_id = ${id})::int reservations,
      (select count(*) from contract_brief where agent_id = ${id})::int contracts,
      (select count(*) from commission where agent_id = ${id})::int commissions`.execute(act.tx);
  const { leads, reservations, contracts, commissions } = rows[0]!;
  const has = [
    leads && `${leads} 条客源`,
    reservations && `${reservations} 个预订`,
    contracts && `${contracts} 份合同`,
    commissions && `${commissions} 笔佣金`,
  ].filter(Boolean);
  if (has.length) throw new Refusal("inUse", `该经纪人有 ${has.join("、")}，不能删除，可改为停用`, 409);
  await act.tx.deleteFrom("agent").where("id", "=", id).execute();
  await noteRecord(act, "agent", agent, { action: "删除", summary: `删除经纪人${agent.name}` });
}

/**
 * The agent of a new customer: in scope, at work, and not the customer himself. `kept` is the one that stands there
 * already and may stay; `villageId`: he serves that very store.
 */
export async function agentFor(
  act: Act,
  agentId: number | null | undefined,
  customer: {
    phone?: string | undefined;
    enterpriseId: number;
    kept?: number | null;
    villageId?: number;
  },
): Promise<{ agentId: number | null; agentName: string }> {
  if (!agentId) return { agentId: null, agentName: "" };
  const { rows } = await sql<{
    name: string;
    phone: string;
    state: string;
    agencyState: string | null;
    agencyOver: boolean;
    enterpriseId: number;
    villageIds: number[];
  }>`select a.name, a.phone, a.state, g.state "agencyState", ${agencyOver(act.today)} "agencyOver", a.enterprise_id "enterpriseId", a.village_ids "villageIds"
    from agent a left join agency g on g.id = a.agency_id where a.id = ${agentId} for share of a`.execute(
    act.tx,
  );
  const agent = rows[0];
  const { villageId } = customer;
  const kept = customer.kept === agentId;
  if (
    !agent ||
    agent.enterpriseId !== customer.enterpriseId ||
    (!kept && !agent.villageIds.some((v) => act.who.villages.includes(v)))
  )
    throw invalid({ field: "agentId", msg: "请选择经纪人" });
  if (!kept && villageId && !agent.villageIds.includes(villageId))
    throw invalid({ field: "agentId", msg: "请选择服务该门店的经纪人" });
  const why = kept ? undefined : agentRefusal(agent, customer.phone);
  if (why) throw invalid({ field: "agentId", msg: why });
  return { agentId, agentName: agent.name };
}
