import { maskBank } from "../../../platform/kernel/mask.ts";
import { stamp } from "../../../platform/server/database/versioned.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";

/** The one enterprise of villages that whoever acts may see. */
export async function enterpriseOf(act: Act, villageIds: readonly number[]): Promise<number> {
  for (const villageId of villageIds) inScope(act.who, villageId);
  const rows = await act.tx
    .selectFrom("village")
    .select("enterpriseId")
    .distinct()
    .where("id", "=", anyOf(villageIds))
    .execute();
  if (rows.length !== 1) throw invalid({ field: "villageIds", msg: "请选择同一企业的门店" });
  return rows[0]!.enterpriseId;
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
  kind: "agent" | "agency",
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
