import { canonicalNumber } from "../../../platform/kernel/texts/certificate.ts";
import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { broughtBy } from "../../customer/commission/outlook.service.ts";
import { linkLead, partyOfLead, renterByPhone } from "../../customer/lead/customer.service.ts";
import { renterInput } from "../../customer/renter/renter.contract.ts";
import { createRenter } from "../../customer/renter/renter.service.ts";
import { linkParty } from "../../party/party/party.service.ts";
import { configOf, startingTerms } from "../config/config.service.ts";
import { heldOver, productsOf, roomFacts, takenBetween } from "../contract/facts.queries.ts";
import { saveDraft } from "../drafting/draft.service.ts";
import { blankForm, usualTerms } from "../drafting/drafting.rules.ts";
import { type Application, lockApplication } from "../lease-application/application.queries.ts";
import { APPLICATION_MOVES } from "../lease-application/application.rules.ts";
import { becomeContract, firmOf } from "../lease-application/review.service.ts";
import { heldOverText } from "../preview/preview.service.ts";
import { endAfter } from "../schedule/months.rules.ts";
import { type ContractKind, permitOf } from "../terms/kind.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";

/** Who applied, as a customer: the lead's, whoever is registered under the phone, or a new tenant. Firms are registered beforehand. */
async function partyOf(act: Act, a: Application): Promise<number | null> {
  const lead = a.leadId === null ? undefined : await partyOfLead(act, a.leadId);
  const known =
    a.partyType === "renter"
      ? ((await kindOf(act, lead?.id, "renter")) ?? (await renterByPhone(act, a.enterpriseId, a.phone))?.id)
      : await firmOf(act, a);
  const id = known ?? (a.partyType === "renter" ? await registered(act, a) : null);
  if (id === null) return null;
  await linkParty(act, id, a.villageId, "contract");
  if (a.leadId !== null) await linkLead(act, a.leadId, id);
  return id;
}

async function kindOf(act: Act, id: number | undefined, kind: string): Promise<number | undefined> {
  if (id === undefined) return undefined;
  const row = await act.tx.selectFrom("party").select("kind").where("id", "=", id).executeTakeFirst();
  return row?.kind === kind ? id : undefined;
}

async function registered(act: Act, a: Application): Promise<number> {
  const certNo = a.certNoCipher && canonicalNumber(act.cipher.open(a.certNoCipher));
  const typed = renterInput.safeParse({
    name: a.name,
    phone: a.phone,
    source: "walkIn",
    homeVillageId: a.villageId,
    ...(certNo && { certType: a.certType, certNo }),
  });
  if (!typed.success)
    throw invalid({ field: "partyId", msg: typed.error.issues[0]?.message ?? "客户资料不完整" });
  return (await createRenter(act, typed.data, { source: "walkIn" })).id;
}

/** Who has the rooms over the wanted term, as the timeline would say it. */
async function refuseTaken(act: Act, a: Application, partyId: number | null, end: string): Promise<void> {
  const [taken] = await takenBetween(act, a.roomIds, a.wantStart, end, null, partyId);
  if (taken) {
    const room = (await roomFacts(act, [taken.roomId], a.wantStart))[0]!;
    const span = `${taken.from} 至 ${taken.to ?? "未定"}`;
    throw new Refusal("roomTaken", `${room.name} 在 ${span} 已被 ${taken.label} 占用`);
  }
  const [over] = await heldOver(act, a.roomIds, null);
  if (over) throw new Refusal("roomTaken", heldOverText(over));
}

/** A draft with all that the request says. Request, lead and contract name each other from now on. */
export async function convert(act: Act, id: number, { version }: { version: number }) {
  const a = await lockApplication(act, id, version);
  const kind: ContractKind = a.partyType;
  if (!act.who.permits.has(permitOf(kind, "add"))) throw forbidden();
  APPLICATION_MOVES.next("convert", a);
  const end = endAfter(a.wantStart, a.wantMonths);
  const partyId = await partyOf(act, a);
  await refuseTaken(act, a, partyId, end);
  const config = await configOf(act, { enterpriseId: a.enterpriseId, villageId: a.villageId });
  const facts = await roomFacts(act, a.roomIds, a.wantStart);
  const products = await productsOf(act, a.roomIds);
  const form: ContractForm = blankForm(
    {
      kind,
      villageId: a.villageId,
      partyId,
      start: a.wantStart,
      end,
      rooms: facts.map((room) => ({ roomId: room.roomId, monthlyRent: room.listPrice ?? a.budget ?? 0 })),
      ...(await broughtBy(act, a.leadId)),
      remark: `租赁申请 ${a.applyNo}${a.remark && `：${a.remark}`}`,
    },
    startingTerms(config),
  );
  const [main] = facts;
  const card = { ...main!, product: products.get(main!.roomId) ?? null };
  const saved = await saveDraft(act, kind === "renter" ? { ...form, ...usualTerms(form, card) } : form);
  await becomeContract(act, a, saved);
  return { kind, contractId: saved.id, contractNo: saved.contractNo };
}
