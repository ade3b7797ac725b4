import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, forbidden, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import { onInvoice } from "../einvoice/einvoice.rules.ts";
import { taxWord } from "../subject/subject.rules.ts";
import type { BatchPreview, BuyerInput, Started, WishInput } from "./acts.contract.ts";
import { readInvoice } from "./invoice.queries.ts";
import { type Sheet, sheetsOf } from "./invoice.rules.ts";
import { buyerColumns, issue } from "./issue.service.ts";
import { CHANGED, keep, noteInvoice, wholeAccount } from "./keep.service.ts";
import { type Charged, chargedLines } from "./lines.queries.ts";
import { titlesOf } from "./title.queries.ts";

const LEASE = "请补全不动产租赁信息";

/** Lines that one application may be for: of one party and one store, each still with so much to invoice. */
function checked(lines: readonly Charged[], wishes: readonly WishInput[]): void {
  const [first] = lines;
  if (lines.some((l) => l.partyId !== first!.partyId))
    throw invalid({ field: "lines", msg: "一次只能为同一客户开票" });
  if (lines.some((l) => l.villageId !== first!.villageId))
    throw invalid({ field: "lines", msg: "请按门店分别申请开票" });
  for (const line of lines) {
    if (line.why) throw new Refusal("notAllowed", line.why);
    const { amount } = wishes.find((w) => w.lineId === line.id)!;
    if (amount > line.available) throw new Refusal("changed", CHANGED, 409);
  }
}

const leaseKey = ({ item, taxMode, taxRate }: Charged): string | null =>
  item!.element === "lease" ? `${item!.itemCode} ${item!.itemName} ${taxMode} ${taxRate}` : null;
const labelOf = (l: Charged) =>
  `${l.subject.name}${l.periodStart ? ` ${l.periodStart} ~ ${l.periodEnd}` : ""}`;
const whyNot = (l: Charged): string => l.why || (l.available > 0 ? "" : "没有可开金额");
const sumOf = (sheets: readonly Sheet[], of: "amount" | "tax") =>
  sheets.reduce((sum, sheet) => sum + sheet.parts.reduce((s, part) => s + part[of], 0), 0);

function planned(lines: readonly Charged[], wishes: readonly WishInput[]) {
  const sheets = sheetsOf(
    lines.map((line) => ({
      ...line,
      lineId: line.id,
      amount: wishes.find((w) => w.lineId === line.id)!.amount,
      lease: leaseKey(line),
    })),
    lines[0]!.conf!.perInvoiceLimit,
  );
  return {
    sheets,
    hash: basisHash(sheets.map((s) => [s.villageId, s.parts.map((p) => [p.lineId, p.amount, p.tax])])),
  };
}

/** The titles that the contracts of lines name, that of the first line first. */
const titleIds = (lines: readonly Charged[]) => lines.map((l) => l.titleId);
const byWish = (wishes: readonly WishInput[]) => wishes.map((w) => w.lineId);

export async function previewOf(read: Read, wishes: readonly WishInput[]) {
  const lines = await chargedLines(read, byWish(wishes));
  for (const line of lines) inScope(read.who, line.villageId);
  checked(lines, wishes);
  const { sheets, hash } = planned(lines, wishes);
  const village = await aRow(read, "village", ["name"], { id: lines[0]!.villageId });
  return {
    sheets: sheets.map((sheet) => ({
      villageName: village!.name,
      lease: sheet.lease,
      amount: sumOf([sheet], "amount"),
      tax: sumOf([sheet], "tax"),
      lines: sheet.parts.map((part) => {
        const line = lines.find((l) => l.id === part.lineId)!;
        return { ...part, label: labelOf(line), item: line.item!.itemName };
      }),
    })),
    amount: sumOf(sheets, "amount"),
    tax: sumOf(sheets, "tax"),
    hash,
  };
}

/** Where leased rooms are, whose papers they have and for how long, from rooms and periods; without a period the contract's term. */
async function leaseOf(read: Read, lines: readonly Charged[]): Promise<Started["lease"]> {
  const leased = lines.filter((l) => l.item?.element === "lease");
  if (!leased.length) return null;
  const { rows } = await sql<{ address: string; names: string[]; certificates: string[] }>`
    select v.address, coalesce(r.names, '{}') names, coalesce(r.certificates, '{}') certificates
    from village v cross join (
      select array_agg(r.full_name order by r.id) names,
        array_agg(distinct a.certificate_no) filter (where a.certificate_no <> '') certificates
      from room r left join apartment a on a.id = r.apartment_id
      where r.id = ${anyOf(leased.flatMap((l) => l.roomId ?? []))}) r
    where v.id = ${leased[0]!.villageId}`.execute(read.tx);
  const { address, names, certificates } = rows[0]!;
  const { rows: terms } = await sql<{ id: number; start: string; end: string }>`
    select id, start_date start, coalesce(leave_date, end_date) "end" from contract_brief
    where id = ${anyOf(leased.flatMap((l) => l.contractId ?? []))}`.execute(read.tx);
  const termOf = new Map(terms.map((term) => [term.id, term]));
  const days = leased.map(({ periodStart, periodEnd, contractId }) => {
    const term = contractId === null ? undefined : termOf.get(contractId);
    return { start: periodStart ?? term?.start, end: periodEnd ?? term?.end };
  });
  const starts = days.flatMap((d) => d.start ?? []).toSorted();
  const ends = days.flatMap((d) => d.end ?? []).toSorted();
  const certificateNo = certificates.join("、");
  return {
    address: [address, names.join("、")].filter(Boolean).join(" ").slice(0, 120),
    start: starts[0] ?? null,
    end: ends.at(-1) ?? null,
    // of rooms with papers of too many a person says which
    certificateNo: certificateNo.length > 40 ? "" : certificateNo,
  };
}

/** What an application begins with: lines with all that may be invoiced of them, and the party's titles. */
export async function started(read: Read, lineIds: readonly number[]): Promise<Started> {
  const lines = await chargedLines(read, lineIds);
  const [first] = lines;
  if (!first) throw new Refusal("notAllowed", "没有可开票的费用");
  for (const line of lines) inScope(read.who, line.villageId);
  if (lines.some((l) => l.partyId !== first.partyId))
    throw new Refusal("notAllowed", "一次只能为同一客户开票");
  if (lines.some((l) => l.villageId !== first.villageId))
    throw new Refusal("notAllowed", "请按门店分别申请开票");
  if (!first.conf?.enabled) throw new Refusal("notAllowed", "该门店未启用电子发票配置");
  const { conf } = first;
  const party = await aRow(read, "party", ["name", "phone"], { id: first.partyId });
  const village = await aRow(read, "village", ["name"], { id: first.villageId });
  const { rows: rooms } = await sql<{ id: number; name: string }>`
    select id, full_name name from room where id = ${anyOf(lines.flatMap((l) => l.roomId ?? []))}`.execute(
    read.tx,
  );
  const titles = await titlesOf(read, first.partyId, titleIds(lines));
  const [usual] = titles;
  return {
    partyId: first.partyId,
    partyName: party!.name,
    villageId: first.villageId,
    villageName: village!.name,
    sellerName: conf.name,
    perInvoiceLimit: conf.perInvoiceLimit,
    manual: conf.driver === "manual",
    kind: usual?.kind === "company" && usual.taxNo ? conf.defaultKind : "general",
    mobile: /^1[3-9]\d{9}$/.test(party!.phone) ? party!.phone : "",
    lease: await leaseOf(
      read,
      lines.filter((l) => l.available > 0),
    ),
    titles,
    lines: lines.map((l) => ({
      lineId: l.id,
      billNo: l.billNo,
      subject: l.subject.name,
      room: rooms.find((r) => r.id === l.roomId)?.name ?? null,
      periodStart: l.periodStart,
      periodEnd: l.periodEnd,
      available: l.available,
      taxWord: taxWord(l),
      lease: l.item?.element === "lease",
      why: whyNot(l),
    })),
  };
}

export type Application = BuyerInput & { lines: WishInput[]; previewHash?: string; byItself?: boolean };
export type Applied = { ids: number[]; applyNos: string[]; waiting: string | null };

/** Holds lines and writes an application for each invoice that they come to stand on. Waits for approval where a process says so. */
export async function apply(act: Act, given: Application): Promise<Applied> {
  const lines = await chargedLines(act, byWish(given.lines), { lock: true });
  const [first] = lines;
  if (!first) throw notFound();
  checked(lines, given.lines);
  const conf = first.conf!;
  const { sheets, hash } = planned(lines, given.lines);
  if (given.previewHash !== undefined && given.previewHash !== hash)
    throw new Refusal("previewChanged", CHANGED, 409, { data: await previewOf(act, given.lines) });
  if (sheets.some((s) => s.lease) && !(given.leaseAddress && given.leaseStart && given.leaseEnd))
    throw invalid({ field: "leaseAddress", msg: LEASE });
  const agreed = await titlesOf(act, first.partyId, titleIds(lines));
  const stood = agreed.map((t) => t.bankAccount);
  const bankAccount = await wholeAccount(act, first.partyId, given.bankAccount, stood);
  const numbers = await act.numbers("FP", sheets.length);
  const ids: number[] = [];
  for (const [i, sheet] of sheets.entries()) {
    const { lines: _, previewHash: __, ...rest } = given;
    const buyer = { ...rest, bankAccount };
    const no = numbers[i]!;
    const none = { leaseAddress: "", leaseStart: null, leaseEnd: null, crossCity: false, certificateNo: "" };
    const { id } = await act.tx
      .insertInto("invoice")
      .values({
        ...buyerColumns(buyer),
        ...(!sheet.lease && none),
        applyNo: no,
        serialNo: no.replaceAll("-", ""),
        direction: "blue",
        enterpriseId: conf.enterpriseId,
        configId: conf.id,
        villageId: sheet.villageId,
        partyId: first.partyId,
        driver: conf.driver,
        amount: sumOf([sheet], "amount"),
        tax: sumOf([sheet], "tax"),
        byItself: given.byItself ?? false,
        createdAt: act.now.toISOString(),
        createdBy: act.who.operatorId || null,
        ...stamp(act),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    ids.push(id);
    await act.tx
      .insertInto("invoiceLine")
      .values(
        sheet.parts.map((part, seq) => {
          const line = lines.find((l) => l.id === part.lineId)!;
          const item = line.item!;
          return {
            invoiceId: id,
            seq,
            billId: line.billId,
            billLineId: line.id,
            feeSubjectId: line.subject.id,
            contractId: line.contractId,
            amount: part.amount,
            tax: part.tax,
            itemCode: item.itemCode,
            itemName: item.itemName,
            policy: item.policy,
            element: item.element,
            taxMode: onInvoice(line.taxMode),
            taxRate: line.taxRate,
          };
        }),
      )
      .execute();
  }
  await keep(
    act,
    sheets.flatMap((s) => s.parts.map((p) => ({ billLineId: p.lineId, amount: p.amount }))),
    1,
    0,
  );
  let waiting: string | null = null;
  for (const id of ids) {
    const invoice = (await readInvoice(act, id))!;
    await noteInvoice(act, invoice, "申请开票", `${invoice.title} ${yuan(invoice.amount)} 元`);
    const asked = await propose(act, "invoice", [
      { recordId: id, villageId: invoice.villageId, payload: {}, reason: given.remark || "申请开票" },
    ]);
    waiting = asked.waiting[0]?.examineNo ?? waiting;
  }
  return { ids, applyNos: numbers, waiting };
}

/** By a person; who may issue as well can have both done at once. */
export async function applyBy(
  act: Act,
  { issueNow, ...given }: Application & { issueNow: boolean },
): Promise<Applied> {
  if (issueNow && !act.who.permits.has("#2801")) throw forbidden();
  const { rows } = await sql<{ villageId: number }>`
    select distinct b.village_id "villageId" from bill_line l join bill b on b.id = l.bill_id
    where l.id = ${anyOf(byWish(given.lines))}`.execute(act.tx);
  for (const { villageId } of rows) inScope(act.who, villageId);
  const applied = await apply(act, given);
  if (issueNow && !applied.waiting)
    for (const id of applied.ids) {
      const invoice = (await readInvoice(act, id))!;
      if (invoice.driver !== "manual") await issue(act, invoice);
    }
  return applied;
}

type Group = BatchPreview["rows"][number] & { of: Application | undefined };

/** Each party of a store by itself, made out as the contract or its usual title says; what cannot be done is a row of its own, with why. */
export async function batchOf(
  read: Read,
  lineIds: readonly number[],
  how: { lock?: boolean } = {},
): Promise<{ preview: BatchPreview; groups: Group[] }> {
  const all = await chargedLines(read, lineIds, how);
  for (const line of all) inScope(read.who, line.villageId);
  const groups: Group[] = [];
  const keyOf = (l: Charged) => `${l.villageId} ${l.partyId} ${l.titleId} ${whyNot(l)}`;
  for (const lines of Map.groupBy(all, keyOf).values()) {
    const [first] = lines;
    const why = whyNot(first!);
    const names = await sql<{ partyName: string; villageName: string }>`
      select p.name "partyName", v.name "villageName" from party p, village v
      where p.id = ${first!.partyId} and v.id = ${first!.villageId}`.execute(read.tx);
    const wishes = lines.map((l) => ({ lineId: l.id, amount: l.available }));
    const found = why ? undefined : await started(read, byWish(wishes));
    const [usual] = found?.titles ?? [];
    const lease = found?.lease;
    const refusal = !found
      ? why
      : !usual
        ? "请先维护发票抬头"
        : !found.mobile && !usual.email
          ? "请填写接收手机或邮箱"
          : lease && !(lease.start && lease.end)
            ? LEASE
            : null;
    const plan = found && !refusal ? planned(lines, wishes) : undefined;
    groups.push({
      id: first!.id,
      ...names.rows[0]!,
      title: usual?.title ?? "",
      taxNo: usual?.taxNo ?? "",
      kind: found?.kind ?? "general",
      count: plan?.sheets.length ?? 0,
      amount: plan ? sumOf(plan.sheets, "amount") : 0,
      tax: plan ? sumOf(plan.sheets, "tax") : 0,
      refusal,
      of: plan &&
        found &&
        usual && {
          lines: wishes,
          previewHash: plan.hash,
          kind: found.kind,
          titleType: usual.kind,
          title: usual.title,
          taxNo: usual.taxNo,
          addressPhone: usual.addressPhone,
          bankAccount: usual.bankAccount,
          receiverMobile: found.mobile,
          receiverEmail: usual.email,
          leaseAddress: lease?.address ?? "",
          leaseStart: lease?.start ?? null,
          leaseEnd: lease?.end ?? null,
          crossCity: false,
          certificateNo: lease?.certificateNo ?? "",
          remark: "",
        },
    });
  }
  const rows = groups.map(({ of: _, ...row }) => row);
  const done = rows.filter((row) => !row.refusal);
  return {
    groups,
    preview: {
      rows,
      count: done.reduce((sum, row) => sum + row.count, 0),
      amount: done.reduce((sum, row) => sum + row.amount, 0),
      hash: basisHash(groups.map((g) => [g.id, g.title, g.of?.previewHash ?? null])),
    },
  };
}

/** Applies for all that nothing refuses. */
export async function applyAll(act: Act, lineIds: readonly number[], previewHash: string) {
  // all bills at once, as every act on money locks them
  const { groups, preview } = await batchOf(act, lineIds, { lock: true });
  if (preview.hash !== previewHash) throw new Refusal("previewChanged", CHANGED, 409, { data: preview });
  const done = groups.flatMap((group) => group.of ?? []);
  if (!done.length) throw new Refusal("notAllowed", groups[0]?.refusal ?? "没有可开票的费用");
  const applied: Applied[] = [];
  for (const of of done) applied.push(await apply(act, of));
  return {
    ids: applied.flatMap((a) => a.ids),
    applyNos: applied.flatMap((a) => a.applyNos),
    waiting: applied.filter((a) => a.waiting).length,
  };
}
