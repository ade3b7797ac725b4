import { addMonths } from "../../../platform/kernel/day.ts";
import { birthdayOf } from "../../../platform/kernel/certificate.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { offered } from "../../system/dic/dic.service.ts";
import type { Rows } from "../../system/import/rows.service.ts";
import { hashedAs } from "../record/hashed.service.ts";
import { renterInput, type RenterInput } from "../renter/renter-input.contract.ts";
import { columnsOf } from "./columns.rules.ts";

/** The sources that the dictionary offers, by code. */
const sourcesOf = async (read: Read): Promise<Words> =>
  Object.fromEntries(
    (await offered(read, "customer", "source")).map((s) => [s.code, [s.name, "grey"] as const]),
  );

/** One tenant to a row, known by the certificate. */
export const RENTER_ROWS: Rows<RenterInput> = {
  things: "租客",
  columns: async (read) => columnsOf(await sourcesOf(read)),
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
};

function needsGuardian(read: Read, input: RenterInput): boolean {
  const birthday =
    (input.certType === "idCard" && input.certNo ? birthdayOf(input.certNo) : undefined) ?? input.birthday;
  return (
    !!birthday && addMonths(birthday, 18 * 12) > read.today && !(input.guardianName && input.guardianPhone)
  );
}
