import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { checkWords, offered } from "../../system/dic/dic.service.ts";
import { ownersOf } from "../record/owners.queries.ts";
import { seenFirm } from "../firm/firm.queries.ts";
import { createFirm, updateFirm } from "../firm/firm.service.ts";
import type { CompanyFields, CompanyInput } from "./company.contract.ts";

const PERMIT = "113.edit";

/** Words and people that forms and filters offer. */
export async function wordsOf(read: Read) {
  const [industries, scales, tags, owners] = await Promise.all([
    offered(read, "customer", "industry"),
    offered(read, "customer", "scale"),
    offered(read, "customer", "tag"),
    ownersOf(read, PERMIT),
  ]);
  return {
    industries: industries.map((w) => w.name),
    scales: scales.map((w) => w.name),
    tags: tags.map((w) => w.name),
    owners: owners.map(({ id, name }) => ({ id, name })),
  };
}

async function checked(
  act: Act,
  input: CompanyFields,
  before?: { industry: string; scale: string; ownerId: number },
) {
  await checkWords(act, "customer", "industry", [input.industry], {
    field: "industry",
    kept: before ? [before.industry] : [],
  });
  await checkWords(act, "customer", "scale", [input.scale], {
    field: "scale",
    kept: before ? [before.scale] : [],
  });
  if (input.ownerId === before?.ownerId) return;
  if (!(await ownersOf(act, PERMIT)).some((o) => o.id === input.ownerId))
    throw invalid({ field: "ownerId", msg: "该员工不能负责企业客户" });
}

export async function createCompany(act: Act, input: CompanyInput): Promise<{ id: number }> {
  await checked(act, input);
  return { id: await makeCompany(act, input) };
}

/** The same of an input whose words and manager have been checked. */
export async function makeCompany(act: Act, input: CompanyInput): Promise<number> {
  const { creditCode, industry, scale, ownerId, ...rest } = input;
  const id = await createFirm(act, "company", { ...rest, number: { creditCode } });
  await act.tx.insertInto("company").values({ id, industry, scale, ownerId }).execute();
  return id;
}

export async function updateCompany(
  act: Act,
  id: number,
  { version, ...input }: CompanyFields & { version: number },
): Promise<{ id: number }> {
  const before = await seenFirm(act, "company", id);
  await refuseFrozen(act, "company", [id]);
  // every firm of this kind has its row in company
  const [industry, scale, ownerId] = [before.industry!, before.scale!, before.ownerId!];
  await checked(act, input, { industry, scale, ownerId });
  const names = await namesOf(act, [ownerId, input.ownerId]);
  const { creditCode, ...rest } = input;
  await updateFirm(act, before, version, { ...rest, number: { creditCode } }, [
    ["行业", industry, input.industry],
    ["规模", scale, input.scale],
    ["客户经理", names.get(ownerId) ?? "", names.get(input.ownerId) ?? ""],
  ]);
  await act.tx
    .updateTable("company")
    .set({ industry: input.industry, scale: input.scale, ownerId: input.ownerId })
    .where("id", "=", id)
    .execute();
  return { id };
}

async function namesOf(read: Read, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await read.tx
    .selectFrom("operator")
    .select(["id", "realName"])
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map((o) => [o.id, o.realName]));
}
