import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { isMobile } from "../../../platform/kernel/texts/contact.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { addMonths } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { pagesIn } from "../../../platform/server/pdf/pdf-append.ts";
import { keepFile } from "../../system/file/file.service.ts";
import { type ContractRecord, contractNote, contractRecord, nextOf } from "../contract/record.queries.ts";
import { signSettingsOf } from "../config/sign.service.ts";
import { partyFacts } from "../contract/facts.queries.ts";
import { stillAgreed } from "../signing/sign.service.ts";
import { endSignings } from "../signing/submit.service.ts";
import { PROVIDERS } from "../provider/provider.rules.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { driverOf, type SentLink } from "./driver.service.ts";
import { deadlineOf, flowMoves, partySigned } from "./esign.rules.ts";
import { type Flow, flowById, liveFlow, signersOf } from "./flow.queries.ts";
import { presentedOf } from "./presented.service.ts";

const linkUntil = (act: Act, hours: number, { signDeadline }: ContractRecord): string =>
  new Date(deadlineOf(act.now.getTime(), hours, new Date(signDeadline!).getTime())).toISOString();

export type Started = {
  id: number;
  flowNo: string;
  state: Flow["state"];
  deadline: string;
  links: SentLink[];
};

const no = (sentence: string) => new Refusal("notAllowed", sentence, 409);
const ADULT_MONTHS = 18 * 12;

/** Who signs for the party, and by which last four characters they are known. Refuses where it cannot be said. */
export async function signerOf(act: Act, contract: ContractRecord) {
  const party = (await partyFacts(act, [contract.partyId!])).get(contract.partyId!);
  if (!party) throw no("没有找到承租方，不能发起电子签署");
  if (!isMobile(party.phone)) throw no(`${party.name}没有登记有效的手机号，请先修改后再发起电子签署`);
  if (contract.kind === "renter" && party.birthday && addMonths(party.birthday, ADULT_MONTHS) > act.today)
    throw no("承租方未满18周岁，需监护人签署，请使用线下签署");
  const number = contract.kind === "renter" ? party.certMasked : (party.creditCode ?? party.certMasked);
  const last4 = number?.slice(-4).toUpperCase();
  if (!last4 || !/^[0-9A-Z]{4}$/.test(last4))
    throw no(
      contract.kind === "renter"
        ? `${party.name}未登记证件号，请先登记证件后再发起电子签署`
        : `${party.name}未登记统一社会信用代码，请先登记后再发起电子签署`,
    );
  const last4Of = contract.kind !== "renter" && party.creditCode ? "creditCode" : "certificate";
  return { name: party.contactName || party.name, phone: party.phone, last4, last4Of };
}

/**
 * Presents a contract that was handed in for signing: the file as it stands, its hash, a link for who signs. Refused where the bills
 * are not those any more that were agreed to on handing in.
 */
export async function start(act: Act, id: number): Promise<Started> {
  const contract = await contractRecord(act, id, true);
  await nextOf(act, "sign", contract);
  if (await liveFlow(act, id)) throw no("该合同正在电子签署中，请重新发送链接或先撤销签署");
  return begin(act, contract);
}

async function begin(act: Act, contract: ContractRecord): Promise<Started> {
  await stillAgreed(act, contract, contract.previewHash!);
  const signer = await signerOf(act, contract);
  const {
    source: _,
    offlineAllowed: _o,
    offlineNeedsApproval: _n,
    ...settings
  } = await signSettingsOf(act, contract);
  const { pdf, presented } = await presentedOf(act, contract);
  const file = await keepFile(
    act,
    { name: `${presented.title}_${contract.contractNo}_待签.pdf`, type: "application/pdf", bytes: pdf },
    {
      targetKind: "contract",
      targetId: contract.id,
      villageId: contract.villageId,
      needs: permitOf(contract.kind, "get"),
    },
  );
  const document = await act.tx
    .insertInto("contractDocument")
    .values({
      contractId: contract.id,
      kind: "draft",
      fileId: file.id,
      fileHash: file.sha256,
      createdAt: act.now,
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const [flowNo] = await act.numbers("QS");
  const { later } = driverOf(settings.provider);
  const enterpriseFirst = settings.signOrder === "enterpriseFirst";
  // an outside provider keeps to the order by itself
  const first = enterpriseFirst && !later;
  const row = await act.tx
    .insertInto("signFlow")
    .values({
      ...settings,
      flowNo: flowNo!,
      contractId: contract.id,
      enterpriseId: contract.enterpriseId,
      villageId: contract.villageId,
      state: first ? "created" : "sending",
      deadline: linkUntil(act, settings.linkHours, contract),
      documentId: document.id,
      documentHash: file.sha256,
      pages: await pagesIn(pdf),
      paper: JSON.stringify(presented),
      previewHash: contract.previewHash!,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("signSigner")
    .values([
      { flowId: row.id, seq: enterpriseFirst ? 2 : 1, role: "party", ...signer },
      {
        flowId: row.id,
        seq: enterpriseFirst ? 1 : 2,
        role: "enterprise",
        name: (await flowById(act, row.id))!.enterprise,
      },
    ])
    .execute();
  await act.tx
    .updateTable("contract")
    .set({ signMode: "electronic", updatedAt: act.now, updatedBy: act.who.operatorId })
    .where("id", "=", contract.id)
    .execute();
  const flow = (await flowById(act, row.id))!;
  const shown = `${flow.flowNo}，待签文件 SHA-256 ${file.sha256.slice(0, 16)}`;
  if (first) {
    await act.note(contractNote(contract, "发起签署", `发起电子签署 ${shown}，待出租方盖章后发送链接`));
    return { ...flow, links: [] };
  }
  const links = await send(act, flow);
  const sent = later
    ? `已提交${PROVIDERS.esign[0]}，受理后发送链接`
    : `链接已发送至 ${maskPhone(signer.phone)}`;
  await act.note(contractNote(contract, "发起签署", `发起电子签署 ${shown}，${sent}`));
  return { ...flow, state: later ? "sending" : "signing", links: shownLinks(links) };
}

const shownLinks = (links: readonly SentLink[]): SentLink[] =>
  links.map((link) => ({ ...link, phone: maskPhone(link.phone) }));

/** Sends the links; from now on the party may sign, or from when an outside provider has taken the document. */
export async function send(act: Act, flow: Flow): Promise<SentLink[]> {
  const signers = await signersOf(act, flow.id);
  flowMoves.next(flow.state === "signing" ? "resend" : "send", {
    status: flow.state,
    partySigned: partySigned(signers),
  });
  const driver = driverOf(flow.provider);
  const links = await driver.send(act, flow, signers);
  if (driver.later) return links;
  await act.tx
    .updateTable("signFlow")
    .set({ state: "signing", updatedAt: act.now.toISOString() })
    .where("id", "=", flow.id)
    .execute();
  await act.tx
    .updateTable("signSigner")
    .set({ state: "sent" })
    .where("flowId", "=", flow.id)
    .where("role", "<>", "enterprise")
    .where("state", "in", ["waiting", "viewed"])
    .execute();
  return links;
}

/** A fresh link for what is being signed; what was refused or has run out begins anew with the contract as it stands. */
export async function resend(act: Act, id: number): Promise<Started> {
  const contract = await contractRecord(act, id, true);
  await nextOf(act, "sign", contract);
  const flow = await liveFlow(act, id, true);
  if (!flow) return begin(act, contract);
  if (new Date(flow.deadline) <= act.now) {
    await driverOf(flow.provider).revoke(act, flow);
    await endSignings(act, id, "expired", "签署链接已过期");
    return begin(act, contract);
  }
  if (flow.state === "created") throw no("出租方尚未盖章，盖章后自动发送链接");
  const deadline = linkUntil(act, flow.linkHours, contract);
  await act.tx.updateTable("signFlow").set({ deadline }).where("id", "=", flow.id).execute();
  const links = shownLinks(await send(act, { ...flow, deadline }));
  const { later } = driverOf(flow.provider);
  const sent = later ? "" : "，原链接失效";
  await act.note(contractNote(contract, "重新发送", `重新发送签署链接 ${flow.flowNo}${sent}`));
  return { ...flow, deadline, state: later ? flow.state : "signing", links };
}

/** Takes a signing back; the contract stays handed in and may be signed another way. */
export async function cancel(
  act: Act,
  id: number,
  reason: string,
): Promise<{ id: number; state: Flow["state"] }> {
  const contract = await contractRecord(act, id, true);
  const flow = await liveFlow(act, id, true);
  if (!flow) throw no("该合同没有进行中的电子签署");
  const signers = await signersOf(act, flow.id);
  const state = flowMoves.next("cancel", { status: flow.state, partySigned: partySigned(signers) });
  await driverOf(flow.provider).revoke(act, flow);
  await endSignings(act, id, "cancelled", reason);
  await act.tx.updateTable("contract").set({ signMode: "offline" }).where("id", "=", id).execute();
  await act.note(contractNote(contract, "撤销签署", `撤销电子签署 ${flow.flowNo}：${reason}`));
  return { id: flow.id, state };
}
