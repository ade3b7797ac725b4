import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { hoursText } from "../../../platform/kernel/duration.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { savepoint } from "../../../platform/server/database/once.ts";
import { type Act, type Read, nobody } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { smsLink } from "../../access/sms/sms.service.ts";
import { signSettingsOf } from "../config/sign.service.ts";
import { type ContractRecord, contractNote, contractRecord, recordById } from "../contract/record.queries.ts";
import { HOUR_MS, type Last4Of, SAID } from "../esign/esign.rules.ts";
import { start } from "../esign/flow.service.ts";
import { signerOf } from "../esign/subject.service.ts";
import { refuseStranger } from "../esign/link.service.ts";
import { agreed, rentsOn } from "../succession/agreed.rules.ts";
import { roomsLeft } from "../succession/succession.rules.ts";
import type { RenewalAsk, SucceedPreview } from "../successor/successor.contract.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { endOfTerm } from "./renewal.rules.ts";
import { follow, handIn, tellKeeper } from "./renewal.service.ts";
import { weighRenewal } from "./weigh.service.ts";

type Wanted = { months: number; monthlyRent: Fen };
export type Choice = { months: number; start: string; end: string; rent: Fen; first: Fen; deposit: Fen };
export type Offer = {
  id: number;
  contractId: number;
  villageId: number;
  state: "sent" | "opened" | "chosen" | "declined" | "withdrawn";
  choices: Choice[];
  grants: string[];
  name: string;
  phone: string;
  last4: string;
  last4Of: Last4Of;
  openTries: number;
  lockedUntil: string | null;
  expiresAt: string;
  choice: number | null;
  answer: string;
  createdBy: number | null;
  version: number;
};

const GONE = { expired: "续租方案已过期，请联系管家", withdrawn: "续租方案已撤回，请联系管家" } as const;

/** The renewal that a choice stands for: what is above the other rooms' rents is the main room's. */
function askOf(previous: ContractRecord, { months, monthlyRent }: Wanted): RenewalAsk {
  if (!previous.end) throw new Refusal("notAllowed", "草稿合同不能续租", 409);
  const before = agreed(previous);
  const [main, ...others] = roomsLeft(before);
  if (!main || (previous.kind === "company" && others.length))
    throw new Refusal("notAllowed", "多间房的企业合同请直接办理续租", 409);
  const rents = rentsOn(before, previous.end);
  const own = monthlyRent - others.reduce((sum, r) => sum + rents.get(r.roomId)!, 0);
  if (own <= 0) throw invalid({ field: "choices", msg: "月租金须高于附属房间的租金" });
  return {
    contractId: previous.id,
    end: endOfTerm(addDays(previous.end, 1), months),
    rents: own === rents.get(main.roomId) ? [] : [{ roomId: main.roomId, monthlyRent: own }],
    deposit: "carry",
    rest: "refund",
    credit: "carry",
    arrearsReason: "",
    reason: "租客选择续租方案",
  };
}

/** What a choice costs on its first day. */
const firstOf = (shown: SucceedPreview) => ({
  first: shown.due,
  deposit: Math.max(0, shown.deposit - shown.carried),
});

const addressOf = ({ settings }: Act, path: string) =>
  `${settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`}${path}`;

/** Makes an offer of what can be signed as things stand, in place of one that waits, and sends its link. */
export async function makeOffer(act: Act, contractId: number, wanted: readonly Wanted[]) {
  const contract = await contractRecord(act, contractId, true);
  const choices: Choice[] = [];
  const below = permitOf(contract.kind, "belowLowest");
  for (const [i, one] of wanted.entries()) {
    const ask = askOf(contract, one);
    const shown = await weighRenewal(act, ask);
    const [no] = shown.obstacles.filter((o) => o.code !== "belowLowest" || !act.who.permits.has(below));
    if (no) throw invalid({ field: `choices.${i}.monthlyRent`, msg: no.msg });
    const start = addDays(contract.end!, 1);
    choices.push({ months: one.months, start, end: ask.end, rent: one.monthlyRent, ...firstOf(shown) });
  }
  const { name, phone, last4, last4Of } = await signerOf(act, contract);
  await endOffers(act, contractId);
  const { linkHours } = await signSettingsOf(act, contract);
  const code = randomBytes(16).toString("base64url");
  const expiresAt = new Date(act.now.getTime() + linkHours * HOUR_MS).toISOString();
  const grants = [below, permitOf(contract.kind, "backdate")].filter((p) => act.who.permits.has(p));
  const { id } = await act.tx
    .insertInto("renewalOffer")
    .values({
      contractId,
      villageId: contract.villageId,
      hash: hashOf(code),
      choices: JSON.stringify(choices),
      grants,
      name,
      phone,
      last4,
      last4Of,
      expiresAt,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const path = `/esign/o/${code}`;
  const enterprise = await enterpriseName(act, contract);
  await smsLink(
    act,
    {
      recipient: phone,
      body: `【${enterprise}】请查看续租方案：••••••，${hoursText(linkHours)}内有效`,
      sourceId: id,
      partyId: contract.partyId!,
      villageId: contract.villageId,
      enterpriseId: contract.enterpriseId,
    },
    { enterprise, name: "续租方案", link: addressOf(act, path), hours: linkHours },
  );
  const text = choices.map((c) => `${c.months} 个月 ${yuan(c.rent)}`).join("、");
  await act.note(contractNote(contract, "发送续租方案", `${text}，发送至 ${maskPhone(phone)}`));
  return { id, phone: maskPhone(phone), expiresAt, path };
}

const enterpriseName = async (read: Pick<Read, "tx">, { enterpriseId }: ContractRecord) =>
  (
    await read.tx
      .selectFrom("enterprise")
      .select("name")
      .where("id", "=", enterpriseId)
      .executeTakeFirstOrThrow()
  ).name;

const endOffers = (act: Act, contractId: number) =>
  act.tx
    .updateTable("renewalOffer")
    .set({ state: "withdrawn", version: sql`version + 1` })
    .where("contractId", "=", contractId)
    .where("state", "in", ["sent", "opened"])
    .execute();

export async function takeOfferBack(act: Act, id: number, reason: string): Promise<{ id: number }> {
  const offer = seen(
    act.who,
    await act.tx
      .selectFrom("renewalOffer")
      .select(["villageId", "contractId"])
      .where("id", "=", id)
      .executeTakeFirst(),
  );
  const contract = await contractRecord(act, offer.contractId, true);
  const done = await act.tx
    .updateTable("renewalOffer")
    .set({ state: "withdrawn", version: sql`version + 1` })
    .where("id", "=", id)
    .where("state", "in", ["sent", "opened"])
    .returning("id")
    .executeTakeFirst();
  if (!done) throw new Refusal("notAllowed", "续租方案已答复或已撤回", 409);
  await act.note(contractNote(contract, "撤回续租方案", reason));
  return { id };
}

const offerBy = (read: Pick<Read, "tx">, token: string, lock = false): Promise<Offer | undefined> => {
  const query = read.tx.selectFrom("renewalOffer").selectAll().where("hash", "=", hashOf(token));
  return (lock ? query.forNoKeyUpdate() : query).executeTakeFirst() as Promise<Offer | undefined>;
};

const isOver = (read: Read, { expiresAt }: Offer) => new Date(expiresAt) <= read.now;
const isAnswered = ({ state }: Offer) => state === "chosen" || state === "declined";

/** The offer of a link; of one that leads nowhere any more it is said why. */
export async function offerOf(read: Read, token: string, lock = false) {
  const first = await offerBy(read, token);
  if (!first) throw new Refusal("notFound", SAID.unknown, 404);
  // the contract before the offer, as everything that changes both does
  const contract = (await recordById(read, first.contractId, lock))!;
  const offer = lock ? (await offerBy(read, token, true))! : first;
  if (offer.state === "withdrawn") throw new Refusal("gone", GONE.withdrawn, 410);
  if (!isAnswered(offer) && isOver(read, offer)) throw new Refusal("gone", GONE.expired, 410);
  return { offer, contract, enterprise: await enterpriseName(read, contract) };
}

/** The same for who names the last four characters; wrong tries are counted although the call is refused. */
async function known(act: Act, token: string, last4: string) {
  const found = await offerOf(act, token, true);
  const { offer } = found;
  await refuseStranger(act, offer, last4, (set) => change(act, offer, set));
  return found;
}

const change = (act: Act, { id }: Offer, set: object) =>
  act.tx.updateTable("renewalOffer").set(set).where("id", "=", id).execute();

const textOf = ({ months, rent, start, end }: Choice) =>
  `续租 ${months} 个月（${start} 至 ${end}），月租金 ${yuan(rent)} 元`;

/** What became of an offer, as its tenant reads it. */
function resultOf(offer: Offer): { signPath: null; text: string } | null {
  if (offer.state === "declined") return { signPath: null, text: "您已答复不续租，管家将与您联系办理退房。" };
  if (offer.state !== "chosen") return null;
  const chosen = `您已选择${textOf(offer.choices[offer.choice!]!)}`;
  const next = offer.answer ? "管家将与您联系办理" : `签署链接将以短信发送至 ${maskPhone(offer.phone)}`;
  return { signPath: null, text: `${chosen}，${next}。` };
}

export async function openOffer(act: Act, token: string, last4: string) {
  const { offer, contract } = await known(act, token, last4);
  await change(act, offer, {
    openTries: 0,
    ...(offer.state === "sent" && { state: "opened", openedAt: act.now.toISOString() }),
  });
  const result = resultOf(offer);
  if (isOver(act, offer)) return { result };
  const before = agreed(contract);
  const rents = rentsOn(before, contract.end!);
  const { rows } = await sql<{ held: Fen }>`
    select held from deposit_balance where contract_id = ${contract.id} and kind = 'deposit'`.execute(act.tx);
  return {
    roomNames: contract.roomNames,
    end: contract.end!,
    rent: roomsLeft(before).reduce((sum, r) => sum + rents.get(r.roomId)!, 0),
    held: rows[0]?.held ?? 0,
    expiresAt: offer.expiresAt,
    choices: offer.choices,
    result,
  };
}

/** Whoever made the offer stands for what its tenant does with it, with the permits of then. */
const onBehalf = (act: Act, offer: Offer, { enterpriseId }: ContractRecord): Act => ({
  ...act,
  who: {
    ...nobody,
    operatorId: offer.createdBy ?? 0,
    enterpriseId,
    villages: [offer.villageId],
    permits: new Set(offer.grants),
  },
});

/** Does it, or takes it back and says what stood in the way; the transaction goes on. */
async function tried<T>(act: Act, work: () => Promise<T>): Promise<T | string> {
  try {
    return await savepoint(act, work);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.fields[0]?.msg ?? error.message;
  }
}

const APPROVED_FIRST = "审批通过后请发起电子签署";

/**
 * The tenant chooses: the renewal is asked for, handed in and its signing begun, as far as nothing stands in the way; the
 * rest is the keeper's. Answered once: the second sees what the first chose.
 */
export async function choose(act: Act, token: string, last4: string, choice: number) {
  const { offer, contract } = await known(act, token, last4);
  const before = resultOf(offer);
  if (before) return before;
  const chosen = offer.choices[choice];
  if (!chosen) throw invalid({ field: "choice", msg: "请选择续租方案" });
  const as = onBehalf(act, offer, contract);
  const done = await tried(act, async () => {
    const ask = askOf(contract, { months: chosen.months, monthlyRent: chosen.rent });
    // the tenant chose the days as well, and the lease before may have been amended since
    if (ask.end !== chosen.end)
      throw new Refusal("previewChanged", `原合同到期日已变更为 ${contract.end}`, 409);
    const shown = await weighRenewal(as, ask);
    const now = firstOf(shown);
    if (now.first !== chosen.first || now.deposit !== chosen.deposit)
      throw new Refusal("previewChanged", `签约应付已变为 ${yuan(now.first)} 元`, 409);
    return handIn(as, ask, shown.previewHash);
  });
  const handed = typeof done === "string" ? undefined : done;
  // what somebody approves first is signed afterwards
  const waits = handed?.state === "approving";
  const signing = handed && !waits && (await tried(act, () => start(as, handed.contractId)));
  const why =
    typeof done === "string" ? done : waits ? APPROVED_FIRST : typeof signing === "string" ? signing : "";
  const set = {
    state: "chosen" as const,
    choice,
    answer: why.slice(0, 200),
    actId: handed?.id ?? null,
    openedAt: sql`coalesce(opened_at, ${act.now.toISOString()})`,
    answeredAt: act.now.toISOString(),
    version: offer.version + 1,
  };
  await change(act, offer, set);
  await follow(act, contract, { intent: "willing", note: `租客在续租方案中选择${textOf(chosen)}` });
  const outcome = !handed
    ? `未能自动办理：${why}，请处理。`
    : waits
      ? `续租单 ${handed.actNo} 已提交，${why}。`
      : why
        ? `续租单 ${handed.actNo} 已提交，未能发起电子签署：${why}。`
        : `续租单 ${handed.actNo} 已提交并发起电子签署。`;
  await tellKeeper(
    act,
    contract,
    `${contract.partyName}选择了续租方案`,
    `${contract.partyName}选择${textOf(chosen)}。${outcome}`,
  );
  const result = resultOf({ ...offer, ...set, openedAt: null } as never)!;
  const link = signing && typeof signing !== "string" ? signing.links[0] : undefined;
  return { ...result, signPath: link?.path ?? null };
}

/** The tenant says no: who looks after the contract hears why. */
export async function refuseOffer(act: Act, token: string, last4: string, reason: string) {
  const { offer, contract } = await known(act, token, last4);
  const before = resultOf(offer);
  if (before) return before;
  await change(act, offer, {
    state: "declined",
    answer: reason,
    openedAt: sql`coalesce(opened_at, ${act.now.toISOString()})`,
    answeredAt: act.now.toISOString(),
    version: offer.version + 1,
  });
  await follow(act, contract, { intent: "leaving", note: `租客答复不续租：${reason}` });
  await tellKeeper(
    act,
    contract,
    `${contract.partyName}答复不续租`,
    `${contract.partyName}答复不续租：${reason}。请联系客户确认，并登记退房申请。`,
  );
  return resultOf({ ...offer, state: "declined" })!;
}
