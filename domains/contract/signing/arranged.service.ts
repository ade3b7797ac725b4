import { hoursText } from "../../../platform/kernel/duration.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { partiesOf, ROLES, type SignerRole, wrongOrder } from "../config/sign.rules.ts";
import type { ContractRecord } from "../contract/record.queries.ts";
import { chosenSeal } from "../seal/seal.service.ts";

export type Arranged = {
  sealId?: number | undefined;
  linkHours?: number | undefined;
  signOrder?: readonly SignerRole[] | undefined;
};

/** What was chosen for the signing of a contract that is handed in; refused under its field where it cannot be. */
export async function arranged(
  read: Pick<Read, "tx" | "today" | "now">,
  { terms, villageId, kind: contractKind, enterpriseId }: ContractRecord,
  { sealId, linkHours, signOrder }: Arranged,
) {
  const wrong = signOrder && wrongOrder(signOrder, [...partiesOf(terms), "enterprise"]);
  if (wrong) throw invalid({ field: "signOrder", msg: wrong });
  const to = { villageId, contractKind, enterpriseId };
  const seal = sealId === undefined ? undefined : await chosenSeal(read, sealId, to);
  const said = [
    seal && `印章 ${seal.name}`,
    linkHours !== undefined && `签署链接有效期 ${hoursText(linkHours)}`,
    signOrder && `签署顺序 ${signOrder.map((role) => ROLES[role][0]).join("、")}`,
  ];
  return {
    seal,
    said: said.filter(Boolean).join("，"),
    kept: {
      sealId: seal?.id ?? null,
      linkHours: linkHours ?? null,
      signOrder: signOrder ? [...signOrder] : null,
    },
  };
}
