import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { bankCard } from "../../../platform/kernel/texts/contact.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import type { Importer } from "../../system/import/importer.service.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { contractsNamed, livingIn, partiesNamed, roomsOf, villagesNamed } from "../import/find.queries.ts";
import { type AskedSource, type Source, sourcesOf } from "./held.queries.ts";
import { REFUND_SOURCE } from "./refund.rules.ts";
import { applyRefund } from "./refund.service.ts";

const { settlement: _, ...SOURCES } = REFUND_SOURCE;

const COLUMNS: readonly ImportColumn[] = [
  { title: "门店", key: "village", must: true, note: "门店名称或简称" },
  { title: "合同号", key: "contract", note: "HT…；没有合同号时填写客户，同名的再填写房间" },
  { title: "客户", key: "party", note: "客户姓名或企业名称" },
  { title: "房间", key: "room", note: "客户在租的房间，如 3栋·1203" },
  { title: "来源", key: "source", must: true, words: SOURCES, note: "预存款、押金或定金" },
  { title: "金额", key: "amount", must: true, yuan: true, note: "元，最多两位小数，不超过可退余额" },
  { title: "收款人", key: "payee", note: "不填为客户本人；付给他人的请在页面上申请并上传证明" },
  { title: "开户行", key: "bank", must: true, note: "最多60字" },
  { title: "账号", key: "account", must: true, note: "6-30位数字" },
  { title: "原因", key: "reason", must: true, note: "2-200字" },
];

type Typed = Partial<
  Record<"village" | "contract" | "party" | "room" | "payee" | "bank" | "account" | "reason", string>
> & {
  source?: AskedSource;
  amount?: Fen;
};
type Asked = {
  source: AskedSource;
  sourceId: number;
  villageId: number;
  amount: Fen;
  reason: string;
  payeeBank: string;
  payeeAccount: string;
};
type Found = { rows: Asked[]; amount: Fen; villageIds: number[] };

const distinct = <T>(values: readonly T[]) => [...new Set(values)];
const textsOf = (rows: readonly Row[], key: keyof Typed) =>
  distinct(rows.flatMap((row) => (row.typed[key] as string | undefined) ?? []));

/** Everything that the rows may name, read once. */
async function aroundOf(read: Read, rows: readonly Row[]) {
  const villages = await villagesNamed(read);
  const named = textsOf(rows, "village");
  const stores = villages.filter(
    (v) => named.includes(v.name) || (v.shortName && named.includes(v.shortName)),
  );
  const ids = stores.map((v) => v.id);
  const contracts = await contractsNamed(
    read,
    textsOf(rows, "contract").map((no) => no.toUpperCase()),
  );
  const parties = await partiesNamed(read, ids, textsOf(rows, "party"));
  const rooms = await roomsOf(read, ids);
  const wanted = textsOf(rows, "room");
  const living = await livingIn(
    read,
    rooms.filter((room) => wanted.some((text) => room.fullName.endsWith(text))).map((room) => room.id),
  );
  return { stores, contracts, parties, rooms, living };
}
type Around = Awaited<ReturnType<typeof aroundOf>>;

/** Whose money a row means, or the cell and the sentence against it. */
function payerOf(
  typed: Typed,
  villageId: number,
  around: Around,
): { partyId: number } | [keyof Typed, string] {
  const { contract, party, room } = typed;
  if (contract) {
    const found = around.contracts.find((c) => c.no === contract.toUpperCase() && c.villageId === villageId);
    if (!found) return ["contract", "该门店没有这份合同"];
    if (party && party !== found.partyName) return ["party", `与合同不符，该合同的租客是 ${found.partyName}`];
    return { partyId: found.partyId };
  }
  if (!party) return ["contract", "请填写合同号或客户"];
  const named = distinct(
    around.parties.filter((p) => p.villageId === villageId && p.name === party).map((p) => p.id),
  );
  if (!named.length) return ["party", "该门店没有这位客户"];
  if (named.length === 1) return { partyId: named[0]! };
  const here = around.rooms.filter((r) => r.villageId === villageId && room && r.fullName.endsWith(room));
  const there = around.living.filter((l) => here.some((r) => r.id === l.roomId) && named.includes(l.partyId));
  return there.length === 1
    ? { partyId: there[0]!.partyId }
    : ["party", `有 ${named.length} 位客户同名，请填写合同号或房间`];
}

/** The balance that a row draws on. */
function holdingOf(
  { source, contract }: Typed,
  villageId: number,
  held: readonly Source[],
): Source | [keyof Typed, string] {
  const of = held.filter(
    (h) =>
      h.villageId === villageId &&
      h.source === source &&
      (source !== "deposit" || !contract || h.label.endsWith(contract.toUpperCase())),
  );
  if (!of.length) return ["source", `该客户没有可退的${REFUND_SOURCE[source!][0]}`];
  if (of.length > 1)
    return ["contract", `该客户有 ${of.length} 笔${REFUND_SOURCE[source!][0]}，请填写合同号`];
  return of[0]!;
}

/** Each row by itself, and those that draw on one balance together. */
async function check(read: Read, all: readonly Row[]): Promise<Found> {
  const around = await aroundOf(read, all);
  const drawn = new Map<string, { sum: Fen; first: number }>();
  const known = new Map<number, Source[]>();
  const rows: Asked[] = [];
  for (const row of all) {
    const typed = row.typed as Typed;
    const { village, amount, payee, bank = "", account = "", reason = "" } = typed;
    if (amount === 0) row.say("amount", "金额必须大于0");
    if (account && bankCard(account)) row.say("account", "请输入正确的银行账号");
    if (bank.length > 60) row.say("bank", "开户行最多60字");
    if (reason && (reason.length < 2 || reason.length > 200)) row.say("reason", "请填写原因（2-200字）");
    const store = around.stores.find((v) => v.name === village || (v.shortName && v.shortName === village));
    if (village && !store) row.say("village", "没有这个门店，或不在您的管辖范围");
    if (!store || !typed.source) continue;
    const payer = payerOf(typed, store.id, around);
    if (Array.isArray(payer)) {
      row.say(...payer);
      continue;
    }
    if (!known.has(payer.partyId)) known.set(payer.partyId, await sourcesOf(read, payer.partyId));
    const from = holdingOf(typed, store.id, known.get(payer.partyId)!);
    if (Array.isArray(from)) {
      row.say(...from);
      continue;
    }
    const own = typed.party ?? around.contracts.find((c) => c.partyId === payer.partyId)?.partyName;
    if (payee && own && payee !== own) row.say("payee", "收款人与客户不一致，请在页面上申请并上传证明");
    if (!amount) continue;
    const key = `${from.source} ${from.sourceId} ${from.villageId}`;
    const before = drawn.get(key) ?? { sum: 0, first: row.number };
    const sum = before.sum + amount;
    if (sum > from.available)
      row.say(
        "amount",
        before.sum
          ? `与第 ${before.first} 行合计超过可退余额 ${yuan(from.available)}`
          : "退款金额超过可退余额",
      );
    if (from.source === "earnest" && amount < from.held) row.say("amount", "定金须全额退还");
    drawn.set(key, { ...before, sum });
    const { source, sourceId, villageId } = from;
    if (!row.wrong.length)
      rows.push({ source, sourceId, villageId, amount, reason, payeeBank: bank, payeeAccount: account });
  }
  const amount = rows.reduce((sum, row) => sum + row.amount, 0);
  return { rows, amount, villageIds: distinct(rows.map((row) => row.villageId)) };
}

/** The order in which balances are locked. */
const ORDER: readonly AskedSource[] = ["prepaid", "deposit", "earnest"];

/** 导入退款单: an application for each row, paid by the bank to the customer's own account; all of them or none. */
export const REFUNDS: Importer<Found, object> = {
  table: "refundImport",
  letters: "DF",
  needs: "#10801",
  whose: "sender",
  naming: true,
  things: "退款单",
  counter: "笔",
  record: "退款",
  columns: async () => COLUMNS,
  most: 500,
  megabytes: 30,
  template: {
    example:
      "滨江店　HT20260101-000007　张雅婷　　押金　3000.00　　工商银行滨江支行　6222020200011234567　退租",
  },
  place: async () => ({}),
  sameFile: "anybody",
  check,
  kept: (found) => ({ amount: found?.amount ?? 0, villageIds: found?.villageIds ?? [] }),
  make: async (act, { rows, amount }) => {
    const inOrder = rows.toSorted(
      (a, b) =>
        ORDER.indexOf(a.source) - ORDER.indexOf(b.source) ||
        a.villageId - b.villageId ||
        a.sourceId - b.sourceId,
    );
    for (const row of inOrder) await applyRefund(act, { ...row, route: "bank" });
    return { count: rows.length, told: `导入退款单 ${rows.length} 笔，合计 ${yuan(amount)}` };
  },
};
