import type { Act } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { linkParties, makeParties } from "../../party/party/party.service.ts";
import type { RenterInput } from "../renter/renter-input.contract.ts";
import { derivedFrom, plainColumns, sealed } from "../renter/renter.service.ts";

/** Renters in bulk, of an import of their own or of contracts: every one of them has been checked. Answers their ids. */
export async function createRenters(
  act: Act,
  inputs: readonly RenterInput[],
  importId: number | null,
): Promise<number[]> {
  const made: number[] = [];
  if (!inputs.length) return made;
  const homes = [...new Set(inputs.map((input) => inScope(act.who, input.homeVillageId)))];
  const villages = await act.tx
    .selectFrom("village")
    .select(["id", "enterpriseId"])
    .where("id", "in", homes)
    .execute();
  const enterpriseOf = new Map(villages.map((v) => [v.id, v.enterpriseId]));
  for (let from = 0; from < inputs.length; from += 500) {
    const some = inputs.slice(from, from + 500);
    const ids = await makeParties(
      act,
      some.map(({ name, phone, homeVillageId }) => ({
        enterpriseId: enterpriseOf.get(homeVillageId)!,
        kind: "renter",
        name,
        phone,
      })),
    );
    made.push(...ids);
    const unsealed = { certNoCipher: null, certNoHash: null, certNoMasked: null };
    await act.tx
      .insertInto("renter")
      .values(
        some.map((input, i) => ({
          id: ids[i]!,
          enterpriseId: enterpriseOf.get(input.homeVillageId)!,
          ...plainColumns(input),
          ...(input.certNo ? sealed(act, input.certNo) : unsealed),
          ...derivedFrom(act, input),
          emergencyPhone: input.emergencyPhone,
          guardianPhone: input.guardianPhone,
          importId,
        })),
      )
      .execute();
    await linkParties(
      act,
      some.map((input, i) => ({
        partyId: ids[i]!,
        villageId: input.homeVillageId,
        because: "home",
        firstDay: act.today,
      })),
    );
    await act.note(
      some.map((input, i) => ({
        kind: "renter",
        recordId: ids[i]!,
        villageId: input.homeVillageId,
        action: "新增",
        summary: `导入租客${input.name}`,
      })),
    );
  }
  return made;
}
