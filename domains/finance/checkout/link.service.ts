import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { smsLink } from "../../access/sms/sms.service.ts";
import { type OpenLine, openLines, openLinesOf } from "../allocation/plan.service.ts";
import type { Bill } from "../bill/bill.rules.ts";
import { allSeen, aroundOf, readBills } from "../bill/bills.queries.ts";
import { billNote } from "../bill/keep.service.ts";
import { waysOf } from "../pay-order/order.queries.ts";
import { BILLS } from "./checkout.queries.ts";
import { AGAIN_SECONDS, LINK_DAYS, SAID, totalOf } from "./checkout.rules.ts";
import { ordersFor, payable } from "./checkout.service.ts";

type Payer = { name: string; phone: string; villageName: string; enterpriseId: number; enterprise: string };

async function payerOf(read: Pick<Read, "tx">, of: { partyId: number; villageId: number }): Promise<Payer> {
  const { rows } = await sql<Payer>`
    select p.name, p.phone, v.name "villageName", e.id "enterpriseId", e.name enterprise
    from party p, village v join enterprise e on e.id = v.enterprise_id
    where p.id = ${of.partyId} and v.id = ${of.villageId}`.execute(read.tx);
  return rows[0]!;
}

/** Why a store takes nothing by phone; empty where it does. */
export async function whyNoWay(read: Pick<Read, "tx" | "settings">, villageId: number): Promise<string> {
  const ways = await waysOf(read, villageId, "rent");
  if (ways.some((w) => !w.why)) return "";
  return ways[0]?.why ?? "该门店未配置收款账户";
}

/** A payment page for bills of one party in one store. Its address is told once and kept nowhere. */
export async function linkFor(
  act: Act,
  of: { villageId: number; partyId: number; billIds: readonly number[]; phone?: string },
): Promise<{ id: number; path: string }> {
  const code = randomBytes(16).toString("base64url");
  const { id } = await act.tx
    .insertInto("payLink")
    .values({
      villageId: of.villageId,
      partyId: of.partyId,
      hash: hashOf(code),
      phone: of.phone ?? "",
      expiresAt: new Date(act.now.getTime() + LINK_DAYS * 86_400_000).toISOString(),
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("payLinkBill")
    .values(of.billIds.map((billId) => ({ linkId: id, billId })))
    .execute();
  return { id, path: `/sams/pay#${code}` };
}

/** Of somebody who becomes nobody, where the pages were sent to goes. */
export const erasePayLinks = (act: Act, partyIds: readonly number[]) =>
  act.tx
    .updateTable("payLink")
    .set({ phone: "" })
    .where("partyId", "in", [...partyIds])
    .execute();

/** One message to each customer of some bills, each by itself: who cannot be sent one keeps nobody else from theirs. */
export async function sendLinks(act: Act, billIds: readonly number[]) {
  const bills = allSeen(act.who, await readBills(act, billIds), [...billIds]);
  const sent: Awaited<ReturnType<typeof sendLink>>[] = [];
  for (const own of Map.groupBy(bills, (b) => `${b.villageId} ${b.partyId}`).values())
    sent.push(await sendLink(act, own));
  return sent;
}

async function sendLink(act: Act, bills: readonly Bill[]) {
  const { villageId, partyId } = bills[0]!;
  const payer = await payerOf(act, { villageId, partyId });
  const open = await openLinesOf(act, bills, act.today, await aroundOf(act, [villageId]));
  const amount = totalOf(open.map(({ owed }) => ({ amount: owed })));
  const row = {
    partyId,
    partyName: payer.name,
    villageName: payer.villageName,
    bills: bills.length,
    amount,
    phone: maskPhone(payer.phone),
  };
  const refusal = await whyNotSend(act, bills, payer, amount);
  if (refusal) return { ...row, refusal, path: null };
  const billIds = bills.map((b) => b.id);
  const { id, path } = await linkFor(act, { villageId, partyId, billIds, phone: payer.phone });
  const { HOST, PORT, PUBLIC_URL } = act.settings;
  const hours = LINK_DAYS * 24;
  await smsLink(
    act,
    {
      recipient: payer.phone,
      body: `【${payer.enterprise}】您有 ${bills.length} 笔账单待付款，合计 ${yuan(amount)} 元：••••••，${LINK_DAYS} 天内有效`,
      sourceId: id,
      partyId,
      villageId,
      enterpriseId: payer.enterpriseId,
    },
    {
      enterprise: payer.enterprise,
      name: "账单付款",
      link: `${(PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, "")}${path}`,
      hours,
    },
  );
  await act.note(
    bills.map((b) => billNote(b, "付款链接", `发送至 ${row.phone}，${bills.length} 笔共 ${yuan(amount)} 元`)),
  );
  return { ...row, refusal: null, path };
}

async function whyNotSend(
  act: Act,
  bills: readonly Bill[],
  payer: Payer,
  amount: Fen,
): Promise<string | undefined> {
  const { villageId, partyId } = bills[0]!;
  try {
    payable(
      bills,
      bills.map((b) => b.id),
    );
  } catch (error) {
    if (error instanceof Refusal) return error.fields[0]?.msg ?? error.message;
    throw error;
  }
  if (!amount) return SAID.nothing;
  const none = await whyNoWay(act, villageId);
  if (none) return none;
  if (!/^1\d{10}$/.test(payer.phone)) return "客户没有可接收短信的手机号";
  const since = new Date(act.now.getTime() - AGAIN_SECONDS * 1000).toISOString();
  const { rows } = await sql`select from pay_link where party_id = ${partyId} and village_id = ${villageId}
    and phone <> '' and created_at > ${since} limit 1`.execute(act.tx);
  return rows.length ? `刚刚已发送，请 ${AGAIN_SECONDS} 秒后再试` : undefined;
}

type Link = { id: number; villageId: number; partyId: number; createdBy: number | null; billIds: number[] };

/** The page of an address; of one that leads nowhere any more it is said what to do. */
async function linkBy(read: Pick<Read, "tx" | "now">, token: string): Promise<Link> {
  const { rows } = await sql<Link & { expiresAt: string }>`
    select l.id, l.village_id "villageId", l.party_id "partyId", l.created_by "createdBy", l.expires_at "expiresAt",
      array(select bill_id from pay_link_bill where link_id = l.id order by 1) "billIds"
    from pay_link l where l.hash = ${hashOf(token)}`.execute(read.tx);
  const [link] = rows;
  if (!link) throw new Refusal("notFound", SAID.gone, 404);
  if (new Date(link.expiresAt) <= read.now) throw new Refusal("gone", SAID.gone, 410);
  return link;
}

/** What can be paid on a page: what it asks for, and what else was issued to the customer there and is not disputed. */
async function openOf(read: Read, { partyId, villageId, billIds }: Link): Promise<OpenLine[]> {
  const lines = await openLines(read, { partyId, villageIds: [villageId], asOf: read.today });
  const bills = await readBills(
    read,
    lines.map((l) => l.billId),
  );
  const shown = new Set([
    ...billIds,
    ...bills.filter((b) => b.issuedAt && (!b.disputedFrom || b.disputedTo)).map((b) => b.id),
  ]);
  return lines.filter((l) => shown.has(l.billId));
}

type OrderRow = {
  orderNo: string;
  amount: Fen;
  state: "created" | "paid";
  paidAt: string | null;
  outcome: string | null;
};

/** A payment page as its customer sees it. */
export async function pageOf(read: Read, token: string, all: boolean) {
  const link = await linkBy(read, token);
  const payer = await payerOf(read, link);
  const open = await openOf(read, link);
  const asked = new Set(link.billIds);
  const rooms = new Map(
    (
      await sql<{ id: number; name: string }>`
        select id, full_name name from room where id = any(${open.flatMap((l) => l.roomId ?? [])}::bigint[])`.execute(
        read.tx,
      )
    ).rows.map((r) => [r.id, r.name]),
  );
  const byBill = [...Map.groupBy(open, (l) => l.billId)];
  const { rows: orders } = await sql<OrderRow>`
    select o.order_no "orderNo", coalesce(f.amount, o.amount) amount, o.state, o.paid_at "paidAt", o.outcome
    from checkout c join pay_order o on o.target_kind = ${BILLS} and o.target_id = c.id
    left join flow f on f.id = o.flow_id
    where c.link_id = ${link.id} and (o.state = 'paid' or (o.state = 'created' and o.expires_at > ${read.now.toISOString()}))
    order by o.id`.execute(read.tx);
  return {
    enterprise: payer.enterprise,
    store: payer.villageName,
    payer: maskName(payer.name),
    why: await whyNoWay(read, link.villageId),
    bills: byBill
      .filter(([id]) => all || asked.has(id))
      .map(([id, lines]) => ({
        id,
        title: lines[0]!.title,
        room: rooms.get(lines[0]!.roomId ?? 0) ?? "",
        dueDate: lines[0]!.dueDate,
        owed: totalOf(lines.map((l) => ({ amount: l.owed }))),
        asked: asked.has(id),
        lines: lines.map((l) => ({
          subject: l.subject,
          period: l.periodStart ? `${l.periodStart} 至 ${l.periodEnd}` : "",
          owed: l.owed,
        })),
      })),
    others: byBill.filter(([id]) => !asked.has(id)).length,
    orders: orders.map(({ paidAt, outcome, ...order }) => ({
      ...order,
      paidAt: paidAt ? timeInZone(paidAt, read.settings.TIME_ZONE).slice(0, 16) : "",
      kept: outcome === "kept",
    })),
  };
}

/** The customer pays chosen bills of a page, as it showed them. */
export async function payLinked(
  act: Act,
  token: string,
  { billIds, total, by }: { billIds: readonly number[]; total: Fen; by: "scan" | "page" },
) {
  const link = await linkBy(act, token);
  const open = await openOf(act, link);
  const chosen = open.filter((l) => billIds.includes(l.billId));
  const owed = totalOf(chosen.map((l) => ({ amount: l.owed })));
  if (new Set(chosen.map((l) => l.billId)).size < billIds.length || owed !== total)
    throw new Refusal("changed", SAID.changed, 409);
  const orders = await ordersFor(act, { billIds, way: by, link });
  return orders.map(({ orderNo, amount, channel, code, token: order }) => ({
    orderNo,
    amount,
    channel,
    code,
    token: order,
  }));
}
