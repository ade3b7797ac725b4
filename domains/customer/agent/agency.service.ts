import { sql } from "kysely";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { attachFiles, letGo, letGoFiles } from "../../system/file/file.service.ts";
import { ruleSeries } from "../commission-rule/rule.service.ts";
import type { AgencyEdit, AgencyInput } from "./agency.contract.ts";
import { seenAgency } from "./agency.queries.ts";
import { bankColumns, enterpriseOf, keptVillages, noteRecord, stamped } from "./agent.service.ts";

constraintSays("agency_name", { field: "name", msg: "该机构名称已存在" });

const plain = (input: Omit<AgencyInput, "phone">) => ({
  name: input.name,
  creditCode: input.creditCode?.toUpperCase() ?? "",
  contact: input.contact,
  fromDay: input.fromDay,
  toDay: input.toDay ?? null,
  fileIds: [...new Set(input.fileIds)],
});

const hang = (act: Act, id: number, villageIds: readonly number[], fileIds: readonly number[]) =>
  attachFiles(act, fileIds, {
    targetKind: "agency",
    targetId: id,
    villageId: villageIds[0]!,
    needs: "115.get",
  });

export async function createAgency(act: Act, input: AgencyInput): Promise<{ id: number }> {
  const enterpriseId = await enterpriseOf(act, input.villageIds);
  const made = await act.tx
    .insertInto("agency")
    .values({
      enterpriseId,
      ...plain(input),
      phone: input.phone,
      villageIds: [...new Set(input.villageIds)],
      ruleId: await ruleSeries(act, enterpriseId, input.ruleId),
      ...bankColumns(act, input),
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await hang(act, made.id, input.villageIds, input.fileIds);
  await noteRecord(
    act,
    "agency",
    { ...input, id: made.id },
    { action: "新增", summary: `登记机构${input.name}` },
  );
  return made;
}

export async function updateAgency(act: Act, id: number, { version, ...input }: AgencyEdit): Promise<void> {
  const agency = await seenAgency(act, id, true);
  asSeen(agency, version);
  const enterpriseId = await enterpriseOf(act, input.villageIds);
  if (enterpriseId !== agency.enterpriseId)
    throw invalid({ field: "villageIds", msg: "请选择同一企业的门店" });
  await act.tx
    .updateTable("agency")
    .set({
      ...plain(input),
      ...(input.phone && { phone: input.phone }),
      villageIds: keptVillages(act, agency.villageIds, input.villageIds),
      ruleId: await ruleSeries(act, enterpriseId, input.ruleId),
      ...bankColumns(act, input),
      ...stamped(act, version),
    })
    .where("id", "=", id)
    .execute();
  await hang(act, id, input.villageIds, input.fileIds);
  await letGo(
    act,
    agency.fileIds.filter((file) => !input.fileIds.includes(file)),
  );
  await noteRecord(
    act,
    "agency",
    { ...agency, name: input.name },
    {
      action: "编辑",
      summary: `编辑机构${input.name}${input.bankNo ? "，更换收款账户" : ""}`,
      before: { name: agency.name, ruleId: agency.ruleId, toDay: agency.toDay },
      after: { name: input.name, ruleId: input.ruleId, toDay: input.toDay ?? null },
    },
  );
}

export async function removeAgency(act: Act, id: number, version: number): Promise<void> {
  const agency = await seenAgency(act, id, true);
  asSeen(agency, version);
  const { rows } = await sql<{ agents: number; commissions: number }>`
    select (select count(*) from agent where agency_id = ${id})::int agents,
      (select count(*) from commission where agency_id = ${id})::int commissions`.execute(act.tx);
  const { agents, commissions } = rows[0]!;
  const has = [agents && `${agents} 位经纪人`, commissions && `${commissions} 笔佣金`].filter(Boolean);
  if (has.length) throw new Refusal("inUse", `该机构有 ${has.join("、")}，不能删除，可改为停用`, 409);
  await act.tx.deleteFrom("agency").where("id", "=", id).execute();
  await letGoFiles(act, "agency", [id]);
  await noteRecord(act, "agency", agency, { action: "删除", summary: `删除机构${agency.name}` });
}
