import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read, Upload } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { smsLink } from "../../access/sms/sms.service.ts";
import { moveFiles, storeFile } from "../../system/file/file.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { recordById } from "../contract/record.queries.ts";
import { addressOf } from "../esign/driver.service.ts";
import { HOUR_MS, SAID as SIGNING } from "../esign/esign.rules.ts";
import { asSigner } from "../esign/flow.queries.ts";
import { signerOf } from "../esign/subject.service.ts";
import { type Knocked, refuseStranger } from "../esign/link.service.ts";
import { UNDECLARED_MOST, type salesOpen, type undeclaredSales } from "./link.contract.ts";
import {
  declareOn,
  linkRefusal,
  monthRefusal,
  monthsInShort,
  ruleOf,
  standingOf,
  undeclaredMonths,
} from "./statement.rules.ts";
import {
  BESIDE_KEEPER,
  dueShops,
  KEEPER,
  shopOf,
  statementsOf,
  type Shop,
  type Statement,
} from "./statement.queries.ts";
import { MOST_PAPERS } from "./statement.contract.ts";
import { declare, edit, type Figures, netOf, noteShop, SALES, SALES_READERS } from "./statement.service.ts";

/** What a paper hangs on until its month is declared. */
const SALES_LINK = "salesLink";
/** So many papers are taken on one link, those that were taken off again included: whoever has it cannot fill the disk. */
const BROUGHT_MOST = 30;
/** The page is good for so many days. */
const LINK_DAYS = 15;

/** What the merchant is told, word for word. */
const SAID = {
  expired: "链接已过期，请联系管家重新发送",
  revoked: "链接已失效，请使用新链接或联系管家",
  declared: "该月营业额已申报，如需更正请联系管家",
} as const;

/** One month of a link; those that were sent together have one hash. */
type SalesLink = Knocked & {
  id: number;
  contractId: number;
  villageId: number;
  monthNo: number;
  state: "sent" | "opened" | "declared" | "revoked";
  name: string;
  expiresAt: string;
  fileIds: number[];
};

const refusalOf = (standing: Statement | undefined) =>
  linkRefusal({ state: standing?.state ?? null, source: standing?.source ?? null });

const enterpriseOf = async (read: Pick<Read, "tx">, id: number) =>
  (await theRow(read, "enterprise", ["name"], { id })).name;

/** A link to the page of a month and of all others of the shop that are due; what was sent for them before leads nowhere any more. */
export async function sendLink(act: Act, { contractId, monthNo }: { contractId: number; monthNo: number }) {
  const shop = await shopOf(act, contractId, true);
  const month = shop.months.find((m) => m.no === monthNo);
  const all = await statementsOf(act, contractId);
  const why = monthRefusal(month, act.today) ?? refusalOf(standingOf(all, monthNo));
  if (why || !month) throw invalid({ field: "monthNo", msg: why ?? "" });
  const due = undeclaredMonths(shop.months, all, act.today);
  const months = shop.months.filter((m) => m === month || due.includes(m));
  const { villageId, enterpriseId } = shop;
  const signer = await signerOf(act, shop);
  await act.tx
    .updateTable("salesLink")
    .set({ state: "revoked" })
    .where("contractId", "=", contractId)
    .where(
      "monthNo",
      "in",
      months.map((m) => m.no),
    )
    .where("state", "in", ["sent", "opened"])
    .execute();
  const token = randomBytes(16).toString("base64url");
  const expiresAt = new Date(act.now.getTime() + LINK_DAYS * 24 * HOUR_MS).toISOString();
  const hash = hashOf(token);
  const [first] = await act.tx
    .insertInto("salesLink")
    .values(
      months.map((m) => ({
        contractId,
        villageId,
        monthNo: m.no,
        hash,
        ...signer,
        expiresAt,
        createdAt: act.now.toISOString(),
        createdBy: act.who.operatorId,
      })),
    )
    .returning("id")
    .execute();
  const { id } = first!;
  const path = `/esign/d/${token}`;
  const enterprise = await enterpriseOf(act, enterpriseId);
  const short = monthsInShort(months);
  const name = `${short} 营业额申报`;
  await smsLink(
    act,
    {
      recipient: signer.phone,
      body: `【${enterprise}】请申报 ${shop.roomNames} ${short} 的营业额：••••••，${LINK_DAYS}天内有效`,
      sourceId: id,
      partyId: shop.partyId,
      villageId,
      enterpriseId,
    },
    { enterprise, name, link: addressOf(act, path), hours: LINK_DAYS * 24 },
  );
  const phone = maskPhone(signer.phone);
  await noteShop(act, shop, "催报营业额", `${name}链接发送至 ${phone}`);
  return { id, phone, expiresAt, last4Of: signer.last4Of as "certificate" | "creditCode", path };
}

const linksBy = (read: Pick<Read, "tx">, token: string, lock: boolean): Promise<SalesLink[]> => {
  const query = read.tx
    .selectFrom("salesLink")
    .selectAll()
    .where("hash", "=", hashOf(token))
    .orderBy("monthNo");
  return (lock ? query.forNoKeyUpdate() : query).execute() as Promise<SalesLink[]>;
};

/** What a link leads to; of one that leads nowhere any more it is said why. With `lock` the contract is held before the link. */
async function linkOf(read: Read, token: string, lock = false) {
  const found = await linksBy(read, token, false);
  if (!found[0]) throw new Refusal("notFound", SIGNING.unknown, 404);
  const contract = (await recordById(read, found[0].contractId, lock))!;
  const all = lock ? await linksBy(read, token, true) : found;
  // a month that was sent once more is declared on the newer link
  const links = all.filter(({ state }) => state !== "revoked");
  const [first] = links;
  if (!first) throw new Refusal("gone", SAID.revoked, 410);
  if (new Date(first.expiresAt) <= read.now) throw new Refusal("gone", SAID.expired, 410);
  return { first, links, contract };
}

/** The shop of a link and its months as whoever has it may look at them, in its store alone. */
async function shopBy<R extends Read>(read: R, token: string, lock = false) {
  const { first, links, contract } = await linkOf(read, token, lock);
  const as = asSigner(read, { ...contract, createdBy: null });
  const shop = await shopOf(as, contract.id);
  const months = links.flatMap((link) => {
    const month = shop.months.find((m) => m.no === link.monthNo);
    return month ? [{ link, month }] : [];
  });
  // its merchant has left before
  if (!months.length) throw new Refusal("gone", SAID.revoked, 410);
  return { first, as, shop, months };
}

/** What anybody with the link may know. */
export async function pageOf(read: Read, token: string) {
  const { first, shop, months } = await shopBy(read, token);
  return {
    enterprise: await enterpriseOf(read, shop.enterpriseId),
    last4Of: first.last4Of,
    months: months.map(({ month }) => month.from.slice(0, 7)),
    merchant: maskName(first.name),
  };
}

/** The same for who names the last four characters; wrong tries are counted although the call is refused. */
async function known(act: Act, token: string, last4: string) {
  const { first, as, shop, months: found } = await shopBy(act, token, true);
  const keepAll = (set: object) =>
    act.tx.updateTable("salesLink").set(set).where("hash", "=", hashOf(token)).execute();
  await refuseStranger(act, first, last4, keepAll);
  const all = await statementsOf(act, shop.id);
  const months = found.map(({ link, month }) => {
    const standing = standingOf(all, link.monthNo);
    return {
      link,
      month,
      standing,
      why: link.state === "declared" || refusalOf(standing) ? SAID.declared : null,
    };
  });
  return { as, shop, months, keepAll };
}

type OfMonth = { last4: string; monthNo: number };

/** One month of a link for who names the last four characters; refused where it cannot be declared there any more. */
async function monthOf(act: Act, token: string, of: OfMonth) {
  const { as, shop, months } = await known(act, token, of.last4);
  const found = months.find(({ link }) => link.monthNo === of.monthNo);
  if (!found) throw new Refusal("gone", SAID.revoked, 410);
  if (found.why) throw new Refusal("declared", found.why, 409);
  const keep = (set: object) =>
    act.tx.updateTable("salesLink").set(set).where("id", "=", found.link.id).execute();
  return { ...found, as, shop, keep };
}

export async function openMonths(act: Act, token: string, last4: string) {
  const { shop, months, keepAll } = await known(act, token, last4);
  await keepAll({ openTries: 0 });
  await act.tx
    .updateTable("salesLink")
    .set({ state: "opened", openedAt: act.now.toISOString() })
    .where("hash", "=", hashOf(token))
    .where("state", "=", "sent")
    .execute();
  const opened: Reply<typeof salesOpen>["months"] = [];
  for (const { link, month, standing, why } of months) {
    // a guess of ours is nothing that the merchant said
    const own = standing && standing.source !== "estimated" ? standing : undefined;
    opened.push({
      no: link.monthNo,
      month: month.from.slice(0, 7),
      from: month.from,
      to: month.to,
      reason: standing?.state === "draft" ? standing.reason : "",
      standing: own
        ? { net: own.net, gross: own.gross, refunds: own.refunds, excluded: own.excluded, note: own.note }
        : null,
      papers: why ? [] : await papersOf(act, link),
      why,
    });
  }
  return {
    roomNames: shop.roomNames,
    contractNo: shop.contractNo,
    excludes: ruleOf(shop.terms.turnover).excludedCategories ?? "",
    months: opened,
  };
}

const papersOf = (read: Pick<Read, "tx">, { fileIds }: SalesLink) =>
  read.tx
    .selectFrom("storedFile")
    .select(["id", "name"])
    .where("id", "=", anyOf(fileIds))
    .orderBy("id")
    .execute();

/** Keeps a paper with a month of the link. */
export async function keepPaper(act: Act, token: string, of: OfMonth, [upload]: readonly Upload[]) {
  const { link, as, shop, keep } = await monthOf(act, token, of);
  if (!upload) throw invalid({ field: "file", msg: "请上传文件" });
  if (link.fileIds.length >= MOST_PAPERS) throw invalid({ field: "file", msg: `附件最多${MOST_PAPERS}个` });
  if ((await broughtOn(act, link)).length >= BROUGHT_MOST)
    throw invalid({ field: "file", msg: `连同已移除的附件最多上传${BROUGHT_MOST}个，请直接提交申报` });
  const { id, name } = await storeFile(as, upload, {
    purpose: "paper10M",
    targetKind: SALES_LINK,
    targetId: link.id,
    villageId: shop.villageId,
    needs: SALES_READERS,
  });
  await keep({ fileIds: [...link.fileIds, id] });
  return { id, name };
}

/** All that was brought on a link, what was taken off again included: it stays with the link so that it counts. */
async function broughtOn(read: Pick<Read, "tx">, link: SalesLink): Promise<number[]> {
  const rows = await read.tx
    .selectFrom("storedFile")
    .select("id")
    .where("targetKind", "=", SALES_LINK)
    .where("targetId", "=", link.id)
    .execute();
  return rows.map(({ id }) => id);
}

/** Takes a paper off the link, which makes room for another. */
export async function dropPaper(act: Act, token: string, of: OfMonth, id: number): Promise<null> {
  const { link, keep } = await monthOf(act, token, of);
  await keep({ fileIds: link.fileIds.filter((one) => one !== id) });
  return null;
}

/** Those of the link's papers that belong to what was declared go over to it; the others are nobody's. */
async function handOver(act: Act, link: SalesLink, statementId: number, papers: readonly number[]) {
  const from = { targetKind: SALES_LINK, targetId: link.id };
  const { villageId } = link;
  await moveFiles(act, papers, from, {
    targetKind: SALES,
    targetId: statementId,
    villageId,
    needs: SALES_READERS,
  });
  await moveFiles(act, await broughtOn(act, link), from);
  await sql`update sales_statement set file_ids = file_ids || ${papers as number[]}::bigint[] where id = ${statementId}`.execute(
    act.tx,
  );
}

/** The merchant declares a month: it waits for confirmation, and who looks after the shop hears of it. Once. */
export async function declareMonth(
  act: Act,
  token: string,
  { last4, monthNo, note, papers, ...figures }: Figures & OfMonth & { note: string; papers: number[] },
): Promise<{ said: string }> {
  const { link, as, shop, month, standing, keep } = await monthOf(act, token, { last4, monthNo });
  if (papers.some((id) => !link.fileIds.includes(id)))
    throw new Refusal("notFound", "有附件已被移除，请刷新本页后再提交", 404);
  const typed = { ...figures, note, submit: true };
  const draft = standing?.state === "draft" ? standing : undefined;
  if ((draft?.fileIds.length ?? 0) + papers.length > MOST_PAPERS)
    throw invalid({ field: "papers", msg: `附件最多${MOST_PAPERS}个` });
  if (draft) await edit(as, draft.id, { ...typed, version: draft.version });
  const id = draft?.id ?? (await declare(as, { contractId: shop.id, monthNo, ...typed }));
  await handOver(act, link, id, papers);
  await keep({
    state: "declared",
    fileIds: [],
    declaredAt: act.now.toISOString(),
    openedAt: sql`coalesce(opened_at, ${act.now.toISOString()})`,
    ip: act.ip,
    device: act.userAgent.slice(0, 160),
  });
  await tellKeeper(as, shop, month.from.slice(0, 7), figures);
  return { said: `${month.from.slice(0, 7)} 营业额净额 ${yuan(netOf(figures))} 元已提交，等待确认` };
}

async function tellKeeper(act: Act, shop: Shop, month: string, figures: Figures): Promise<void> {
  const { rows } = await sql<{ keeper: number; villageName: string }>`
    select ${KEEPER} keeper, v.name "villageName" from contract c ${BESIDE_KEEPER} where c.id = ${shop.id}`.execute(
    act.tx,
  );
  const of = rows[0]!;
  await tell(act, {
    to: [of.keeper],
    type: 3,
    title: `${shop.partyName}申报了 ${month} 营业额`,
    content: `商户${shop.partyName}（${shop.contractNo}）在申报链接上申报了 ${month} 的营业额，净额 ${yuan(netOf(figures))} 元，请核对后确认。`,
    bizType: "contract",
    bizId: shop.id,
    villageId: shop.villageId,
    facts: [
      ["门店", of.villageName],
      ["商户", shop.partyName],
      ["月份", month],
    ],
  });
}

/** The months of each shop that pays of its turnover that its merchant may declare still; the stores one after the other. */
export async function undeclared(
  read: Read,
  wanted: readonly number[] | undefined,
): Promise<Reply<typeof undeclaredSales>> {
  const due = await dueShops(read, villagesOf(read.who, wanted));
  const sent = await read.tx
    .selectFrom("salesLink")
    .select(["contractId", "monthNo"])
    .select((eb) => eb.fn.max("createdAt").as("sentAt"))
    .where("contractId", "=", anyOf(due.map((d) => d.id)))
    .groupBy(["contractId", "monthNo"])
    .execute();
  const rows: Reply<typeof undeclaredSales> = [];
  for (const { id, villageName } of due) {
    const shop = await shopOf(read, id);
    const all = await statementsOf(read, id);
    for (const month of undeclaredMonths(shop.months, all, read.today))
      rows.push({
        contractId: id,
        monthNo: month.no,
        month: month.from.slice(0, 7),
        contractNo: shop.contractNo,
        villageName,
        roomNames: shop.roomNames,
        partyName: shop.partyName,
        state: standingOf(all, month.no)?.state ?? null,
        declareOn: declareOn(month, ruleOf(shop.terms.turnover).declareDay),
        sentAt: sent.find((s) => s.contractId === id && s.monthNo === month.no)?.sentAt ?? null,
      });
    if (rows.length >= UNDECLARED_MOST) break;
  }
  return rows.slice(0, UNDECLARED_MOST);
}
