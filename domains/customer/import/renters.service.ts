import { sql } from "kysely";
import { birthdayOf } from "../../../platform/kernel/texts/certificate.ts";
import { addMonths } from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { linkParties, makeParties } from "../../party/party/party.service.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { type Importer, type Place } from "../../system/import/importer.service.ts";
import { eachRow } from "../../system/import/rows.service.ts";
import { hashedAs } from "../record/hashed.service.ts";
import { type RenterInput, renterInput } from "../renter/renter.contract.ts";
import { derivedFrom, plainColumns, sealed } from "../renter/renter.service.ts";
import { renterColumns } from "./columns.rules.ts";
import { takingBack } from "./taken-back.service.ts";

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

/** The sources that the dictionary offers, by code. */
const sourcesOf = async (read: Read): Promise<Words> =>
  Object.fromEntries(
    (await offered(read, "customer", "source")).map((s) => [s.code, [s.name, "grey"] as const]),
  );

/** One tenant to a row, known by the certificate. */
const check = eachRow<RenterInput, Place>({
  judge:
    async (read, { villageId }) =>
    ({ typed, say, as }) => {
      const row = as(renterInput, { homeVillageId: villageId, ...typed });
      if (row && needsGuardian(read, row)) say("guardianName", "未满18周岁，需填写监护人及电话");
      const value = row?.certNo?.toUpperCase();
      return { row, unique: value ? { key: "certNo", value } : undefined };
    },
  /** Certificates that the village's enterprise has on record. */
  taken: async (read, { enterpriseId }, numbers) => {
    const { hashes, named } = hashedAs(read, numbers);
    const rows = await read.tx
      .selectFrom("renter")
      .select("certNoHash")
      .where("enterpriseId", "=", enterpriseId)
      .where("mergedIntoId", "is", null)
      .where("certNoHash", "=", hashes)
      .execute();
    return new Map(rows.map((row) => [named(row.certNoHash!).value, "该证件号已登记"]));
  },
});

function needsGuardian(read: Read, input: RenterInput): boolean {
  const birthday =
    (input.certType === "idCard" && input.certNo ? birthdayOf(input.certNo) : undefined) ?? input.birthday;
  return (
    !!birthday && addMonths(birthday, 18 * 12) > read.today && !(input.guardianName && input.guardianPhone)
  );
}

export const RENTERS: Importer<RenterInput[]> = {
  things: "租客",
  columns: async (read) => renterColumns(await sourcesOf(read)),
  check,
  table: "renterImport",
  whose: "village",
  letters: "DZ",
  needs: "16.import",
  counter: "人",
  template: { example: "张雅婷 13812345678 身份证 … 来源：上门" },
  make: async (act, rows, batch) => (await createRenters(act, rows, batch.id)).length,
  remove: takingBack("renter", "人", {
    leads: sql`renter_id = p.id`,
    last: sql`when exists (select 1 from contract_occupant_brief where renter_id = p.id) then '有同住记录'`,
  }),
};
