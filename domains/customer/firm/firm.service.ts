import { canonicalNumber } from "../../../platform/kernel/texts/certificate.ts";
import { maskCertificate } from "../../../platform/kernel/texts/mask.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import type { ContactInput } from "../../party/contact/contact.contract.ts";
import { makeContacts } from "../../party/contact/contact.service.ts";
import { changeParty, linkParty, makeParty, noteParty } from "../../party/party/party.service.ts";
import { FIRM_TITLE, type FirmKind } from "./words.rules.ts";
import type { SeenFirm } from "./firm.queries.ts";
import { theRow } from "../../../platform/server/database/row.ts";

constraintSays("firm_credit_code", { field: "creditCode", msg: "统一社会信用代码已登记" });
constraintSays("firm_cert", { field: "certNo", msg: "该证件号已登记" });

/** What a firm is known by: a company's credit code, or the certificate of whoever trades in person. */
export type FirmNumber = { creditCode: string } | { certType: string; certNo: string };

/** The number as it is kept: a credit code is public, a certificate lies sealed; the hash finds both. */
export function numbered(read: Read, number: FirmNumber) {
  if ("creditCode" in number) {
    const creditCode = canonicalNumber(number.creditCode);
    return {
      creditCode,
      certType: null,
      certNoCipher: null,
      certNoMasked: null,
      numberHash: read.cipher.hash(creditCode),
    };
  }
  const certNo = canonicalNumber(number.certNo);
  return {
    creditCode: null,
    certType: number.certType,
    certNoCipher: read.cipher.seal(certNo),
    certNoMasked: maskCertificate(certNo),
    numberHash: read.cipher.hash(certNo),
  };
}

export type FirmInput = {
  name: string;
  address: string;
  tags: string[];
  remark: string;
  homeVillageId: number;
};

/** Registers a firm once per enterprise: the same number a second time is refused, also in a race. */
export async function createFirm(
  act: Act,
  kind: FirmKind,
  input: FirmInput & { number: FirmNumber; contacts: readonly ContactInput[] },
): Promise<number> {
  inScope(act.who, input.homeVillageId);
  const { enterpriseId } = await theRow(act, "village", ["enterpriseId"], { id: input.homeVillageId });
  const { phone } = input.contacts.find((c) => c.main)!;
  const id = await makeParty(act, { enterpriseId, kind, name: input.name, phone });
  await act.tx
    .insertInto("firm")
    .values({
      id,
      enterpriseId,
      kind,
      address: input.address,
      tags: input.tags,
      remark: input.remark,
      homeVillageId: input.homeVillageId,
      ...numbered(act, input.number),
    })
    .execute();
  await makeContacts(act, id, input.contacts);
  await linkParty(act, id, input.homeVillageId, "home");
  await noteParty(
    act,
    { id, kind, homeVillageId: input.homeVillageId },
    { action: "新增", summary: `登记${FIRM_TITLE[kind]}${input.name}` },
  );
  return id;
}

/** A field that people see, old and new. */
export type Pair = readonly [label: string, old: string, now: string];

/** Writes what both kinds have, and the timeline with whatever changed. */
export async function updateFirm(
  act: Act,
  before: SeenFirm,
  version: number,
  input: FirmInput & { number: FirmNumber | undefined },
  more: readonly Pair[],
): Promise<void> {
  const kind = before.kind as FirmKind;
  // a store that only links the firm leaves the store that registered it as it is
  if (input.homeVillageId !== before.homeVillageId) inScope(act.who, input.homeVillageId);
  await changeParty(act, before.id, version, { name: input.name });
  const number = input.number && numbered(act, input.number);
  await act.tx
    .updateTable("firm")
    .set({
      address: input.address,
      tags: input.tags,
      remark: input.remark,
      homeVillageId: input.homeVillageId,
      ...number,
    })
    .where("id", "=", before.id)
    .execute();
  await linkParty(act, before.id, input.homeVillageId, "home");
  const known = (n: { creditCode: string | null; certNoMasked: string | null }) =>
    n.creditCode ?? n.certNoMasked ?? "";
  const pairs: Pair[] = [
    ["名称", before.name, input.name],
    ["信用代码或证件", known(before), number ? known(number) : known(before)],
    ["地址", before.address, input.address],
    ["标签", before.tags.join("、"), input.tags.join("、")],
    ["备注", before.remark, input.remark],
    ...more,
  ];
  const changed = pairs.filter(([, old, now]) => old !== now);
  const side = (i: 1 | 2) => Object.fromEntries(changed.map((pair) => [pair[0], pair[i]]));
  const labels = changed.map(([label]) => label).join("、");
  await noteParty(
    act,
    { id: before.id, kind, homeVillageId: before.homeVillageId },
    {
      action: "编辑",
      summary: `编辑${FIRM_TITLE[kind]}资料${labels ? `：${labels}` : ""}`,
      before: side(1),
      after: side(2),
    },
  );
}
