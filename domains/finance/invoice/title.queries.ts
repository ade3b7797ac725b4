import { aRow } from "../../../platform/server/database/row.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Started } from "./acts.contract.ts";
import { accountOf } from "./keep.service.ts";

/**
 * To whom a party's invoices are made out: its titles, the usual one first; a person by name. `agreed`: those that the
 * contracts of the lines name, null for the usual one; the first of them comes before all others. A title may have come
 * to another record of the party since.
 */
export async function titlesOf(
  read: Read,
  partyId: number,
  agreed: readonly (number | null)[],
): Promise<Started["titles"]> {
  const [first = null] = agreed;
  const titles = await read.tx
    .selectFrom("invoiceTitle")
    .selectAll()
    .where((eb) =>
      eb.or([eb("partyId", "=", partyId), eb("id", "=", anyOf(agreed.flatMap((id) => id ?? [])))]),
    )
    .orderBy((eb) => eb("partyId", "=", partyId), "desc")
    .orderBy("isDefault", "desc")
    .orderBy("id")
    .execute();
  const party = await aRow(read, "party", ["kind", "name"], { id: partyId });
  const known = titles
    .toSorted((a, b) => Number(b.id === first) - Number(a.id === first))
    .map((t) => ({
      id: t.id,
      kind: t.kind as "person" | "company",
      title: t.title,
      taxNo: t.taxNo,
      addressPhone: `${t.address} ${t.phone}`.trim(),
      bankAccount: accountOf(t),
      email: t.email,
    }));
  const person = party!.kind === "renter" && !known.some((t) => t.kind === "person");
  const own = {
    id: null,
    kind: "person" as const,
    title: party!.name,
    taxNo: "",
    addressPhone: "",
    bankAccount: "",
    email: "",
  };
  return person ? [...known, own] : known;
}
