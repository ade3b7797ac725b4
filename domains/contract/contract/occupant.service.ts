import { canonicalNumber, certificateOf } from "../../../platform/kernel/certificate.ts";
import { maskCertificate } from "../../../platform/kernel/mask.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { ContractForm } from "../terms/terms.contract.ts";

/**
 * Brings the stored occupants of a draft up to the form, and answers their ids in the form's order. Certificate numbers are sealed
 * as they come in; a row that comes without one keeps the number it has.
 */
export async function saveOccupants(act: Act, contractId: number, form: ContractForm): Promise<number[]> {
  const kept = form.occupants.flatMap((o) => (o.id ? [o.id] : []));
  await act.tx
    .deleteFrom("contractOccupant")
    .where("contractId", "=", contractId)
    .$if(kept.length > 0, (q) => q.where("id", "not in", kept))
    .execute();
  const room = form.rooms[0]?.roomId ?? null;
  const ids: number[] = [];
  for (const [i, { id, certNo, ...person }] of form.occupants.entries()) {
    const row = {
      ...person,
      certType: person.certType ?? null,
      gender: person.gender ?? null,
      roomId: room,
      fromDate: form.start ?? act.today,
      toDate: form.end,
      ...(certNo ? sealed(act, person.certType ?? "idCard", certNo, i) : {}),
    };
    const known = id
      ? await act.tx
          .updateTable("contractOccupant")
          .set(row)
          .where("id", "=", id)
          .where("contractId", "=", contractId)
          .returning("id")
          .executeTakeFirst()
      : undefined;
    const { id: now } =
      known ??
      (await act.tx
        .insertInto("contractOccupant")
        .values({ ...row, contractId })
        .returning("id")
        .executeTakeFirstOrThrow());
    ids.push(now);
  }
  return ids;
}

function sealed(act: Act, certType: string, typed: string, i: number) {
  const wrong = certificateOf(certType)(typed);
  if (wrong) throw invalid({ field: `occupants.${i}.certNo`, msg: wrong });
  const number = canonicalNumber(typed);
  return { certType, certNoCipher: act.cipher.seal(number), certNoMasked: maskCertificate(number) };
}
