import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { CERT_TYPES } from "../../customer/renter/words.rules.ts";
import type { DOCUMENT_WORDS } from "../contract/detail.contract.ts";
import type { PartySnapshot } from "../contract/facts.queries.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import { chosenSeal, lessorFor } from "../seal/seal.service.ts";
import { rentsOver } from "../schedule/steps.rules.ts";
import { weighDraft, weighStored } from "../preview/preview.service.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import { paperIn } from "../template/blocks.rules.ts";
import { templateFor, versionOf } from "../template/template.service.ts";
import type { LeaseFacts } from "./lease.rules.ts";
import { leasePaper, type PaperFacts } from "./paper.rules.ts";
import { leaseContent } from "./values.rules.ts";

type Names = {
  lessor: string;
  creditCode: string | null;
  village: string;
  address: string;
  villagePhone: string;
  party: Omit<PartySnapshot, "certType"> & { certType: keyof typeof CERT_TYPES | null };
  phone: string;
  guardian: string;
  guardianPhone: string;
  depositAmount: number | null;
};

/** Who lets and who rents, as the papers of a contract name them: the lessor of the store's seal, or the enterprise where it has none. */
async function namesOf(
  read: Pick<Read, "tx">,
  contract: Pick<ContractRecord, "id" | "contractNo" | "kind">,
  lessor: ContractRecord["lessor"],
) {
  const { rows } = await sql<Names>`
    select e.name lessor, e.credit_code "creditCode", v.name village, v.address, v.phone "villagePhone",
      coalesce(c.party_snapshot, jsonb_build_object('name', p.name, 'certType', coalesce(r.cert_type, f.cert_type),
        'certNo', coalesce(r.cert_no_masked, f.cert_no_masked), 'creditCode', f.credit_code, 'legalName', m.legal_name,
        'contactName', k.name, 'address', f.address,
        'invoiceTitle', t.title || case when t.tax_no = '' then '' else '（税号 ' || t.tax_no || '）' end)) party, p.phone,
      coalesce(r.guardian_name, '') guardian, coalesce(r.guardian_phone, '') "guardianPhone",
      c.deposit_amount "depositAmount"
    from contract c join enterprise e on e.id = c.enterprise_id join village v on v.id = c.village_id
    join party p on p.id = c.party_id left join renter r on r.id = p.id left join firm f on f.id = p.id
    left join merchant m on m.id = p.id left join party_contact k on k.party_id = p.id and k.main
    left join invoice_title t on t.id = c.invoice_title_id where c.id = ${contract.id}`.execute(read.tx);
  const n = rows[0]!;
  const facts = {
    contractNo: contract.contractNo,
    kind: contract.kind,
    lessor: {
      name: lessor?.name ?? n.lessor,
      creditCode: lessor?.creditCode ?? n.creditCode ?? "",
      address: lessor?.address || n.address,
      phone: n.villagePhone,
    },
    lessee: {
      name: n.party.name,
      phone: n.phone,
      certificate: certificateOf(n.party),
      creditCode: n.party.creditCode ?? "",
      legalName: n.party.legalName ?? "",
      contactName: n.party.contactName ?? "",
      address: n.party.address ?? "",
      invoiceTitle: n.party.invoiceTitle ?? "",
      guardian: n.guardian && `${n.guardian} ${n.guardianPhone}`,
    },
    store: n.village,
    storeAddress: n.address,
  };
  return { facts, village: `${n.village}（${n.address}）`, deposit: n.depositAmount ?? 0 };
}

/** What the documents about a contract that was handed in have in common. */
export async function leaseFacts(read: Pick<Read, "tx">, contract: ContractRecord): Promise<LeaseFacts> {
  const { facts, deposit } = await namesOf(read, contract, contract.lessor);
  const { start, end, signedOn, monthlyRent } = contract;
  const roomNames = contract.roomNames.split("、");
  return { ...facts, roomNames, start: start!, end: end!, signedOn, rent: monthlyRent ?? 0, deposit };
}

/** The contract that this one renews. */
async function previousOf(
  read: Read,
  { source, previousId }: ContractRecord,
): Promise<PaperFacts["previous"]> {
  const before = source === "renewal" && previousId ? await recordById(read, previousId) : undefined;
  return before
    ? { contractNo: before.contractNo, start: before.start!, end: before.end!, rent: before.monthlyRent ?? 0 }
    : null;
}

/** Everything the paper says. A draft is weighed as things stand; what was handed in prints what was agreed then. */
export async function paperFacts(read: Read, contract: ContractRecord, sealId?: number): Promise<PaperFacts> {
  const drawn = contract.state === "draft";
  const weighed = drawn ? await weighDraft(read, contract) : weighStored(read, contract);
  const to = { villageId: contract.villageId, contractKind: contract.kind };
  const { enterpriseId } = contract;
  const seal = drawn && sealId ? await chosenSeal(read, sealId, { ...to, enterpriseId }) : undefined;
  const lessor = drawn ? await lessorFor(read, to, seal) : contract.lessor;
  const { facts, village } = await namesOf(read, contract, lessor);
  const occupants = await read.tx
    .selectFrom("contractOccupant")
    .select(["name", "phone", "relation"])
    .where("contractId", "=", contract.id)
    .orderBy("id")
    .execute();
  const { input, plan } = weighed;
  return {
    ...facts,
    village,
    rooms: contract.rooms,
    occupants,
    start: input.start,
    end: input.end,
    rents: rentsOver(input),
    terms: contract.terms,
    plan,
    signedOn: contract.signedOn,
    state: contract.state,
    today: read.today,
    previewHash: weighed.preview.previewHash,
    previous: await previousOf(read, contract),
  };
}

/** The contract's paper: in the words of its template, or the built-in ones where it has none. */
export async function paperOf(
  read: Read,
  contract: ContractRecord,
  wanted: { templateVersionId?: number | undefined; sealId?: number | undefined } = {},
): Promise<Paper> {
  const facts = await paperFacts(read, contract, wanted.sealId);
  const chosen =
    contract.state === "draft"
      ? ((await templateFor(read, contract, wanted.templateVersionId))?.versionId ?? null)
      : contract.templateVersionId;
  const version = chosen === null ? undefined : await versionOf(read, chosen);
  const paper = version ? paperIn(version, leaseContent(facts)) : leasePaper(facts);
  // the paper that comes back signed is found by its number
  return contract.state === "signing" ? { ...paper, code: contract.contractNo } : paper;
}

const certificateOf = ({ certType, certNo }: Names["party"]) =>
  certNo ? `${certType ? CERT_TYPES[certType][0] : "证件"} ${certNo}` : "";

/** The documents kept with a contract, newest first. */
export async function documentsOf(read: Read, contractId: number) {
  const rows = await read.tx
    .selectFrom("contractDocument as d")
    .innerJoin("storedFile as f", "f.id", "d.fileId")
    .leftJoin("operator as o", "o.id", "d.createdBy")
    .select(["d.id", "d.kind", "d.fileHash", "d.createdAt", "f.name", "f.type", "f.size", "o.realName"])
    .where("d.contractId", "=", contractId)
    .orderBy("d.id", "desc")
    .execute();
  return rows.map(({ realName, kind, ...row }) => ({
    ...row,
    kind: kind as keyof typeof DOCUMENT_WORDS,
    createdBy: realName ?? "",
  }));
}
