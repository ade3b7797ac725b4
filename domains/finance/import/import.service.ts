import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { roomBeside } from "../../../platform/kernel/texts/names.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Importer } from "../../system/import/importer.service.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { isHeld } from "../bill/bill.rules.ts";
import { type NewBill, makeBills } from "../bill/bill.service.ts";
import { keepContracts } from "../bill/bills.queries.ts";
import { whyNotPeriod } from "../bill/make.rules.ts";
import { lateFeeTermsOf } from "../setting/setting.service.ts";
import { type Subject, isCharged } from "../subject/subject.rules.ts";
import { type Subjects, subjectsFor } from "../subject/subject.service.ts";
import { COLUMNS, type Field, type Typed, valueOf } from "./columns.rules.ts";
import {
  type Contract,
  type Room,
  type Village,
  contractsNamed,
  keyOf,
  livingIn,
  partiesNamed,
  roomsOf,
  standing,
  villagesNamed,
} from "./find.queries.ts";

/** A row whose cells are each right by themselves. */
type TypedRow = { row: Row; typed: Typed };
/** A row with everything that it names found. */
export type Found = TypedRow & {
  villageId: number;
  roomId: number | null;
  contractId: number | null;
  partyId: number;
  /** Everybody of that name, until it is known who lives there. */
  namesakes: readonly number[];
  subject: Subject;
};
export type Bills = {
  rows: Found[];
  /** Of all rows whose cells are right by themselves. */
  amount: Fen;
  villageIds: number[];
};

type Around = {
  contracts: Map<string, Contract>;
  rooms: Map<number, Room[]>;
  parties: Map<string, number[]>;
  subjects: Subjects;
};

const isNumber = (place: string) => /^HT\d/i.test(place);
const distinct = <T>(values: readonly T[]) => [...new Set(values)];

/** Rows against each other and against what is registered. */
export async function checkBills(read: Read, all: readonly Row[]): Promise<Bills> {
  const typed = all.flatMap((row) => typedRow(row) ?? []);
  const villages = await villagesNamed(read);
  const placed = typed.flatMap((of) => {
    const village = villages.find(
      (v) => v.name === of.typed.village || (v.shortName !== "" && v.shortName === of.typed.village),
    );
    if (!village) of.row.say("village", "没有这个门店，或不在您的管辖范围");
    return village ? [{ of, village }] : [];
  });
  const villageIds = distinct(placed.map(({ village }) => village.id));
  const around = await aroundOf(read, villageIds, typed);
  const rows = placed.flatMap(({ of, village }) => find(of, village, around) ?? []);
  await linkContracts(read, rows);
  await checkTwice(read, rows);
  return { rows, amount: typed.reduce((sum, of) => sum + of.typed.amount, 0), villageIds };
}

function typedRow(row: Row): TypedRow | undefined {
  const typed: Record<string, unknown> = { remark: "" };
  for (const column of COLUMNS) {
    const got = valueOf(column, row.text[column.key] ?? "");
    if ("msg" in got) row.say(column.key, got.msg);
    else typed[column.key] = got.value;
  }
  const { from, to } = typed as Partial<Typed>;
  const period = from && to && whyNotPeriod(from, to);
  if (period) row.say("to", period);
  return row.wrong.length ? undefined : { row, typed: typed as Typed };
}

async function aroundOf(read: Read, villageIds: number[], rows: readonly TypedRow[]): Promise<Around> {
  const numbers = distinct(rows.map((r) => r.typed.place.toUpperCase()).filter((place) => isNumber(place)));
  const [contracts, rooms, parties, subjects] = await Promise.all([
    contractsNamed(read, numbers),
    roomsOf(read, villageIds),
    partiesNamed(read, villageIds, distinct(rows.map((r) => r.typed.party))),
    subjectsFor(read, villageIds),
  ]);
  const byName = Map.groupBy(parties, (p) => `${p.villageId} ${p.name}`);
  return {
    contracts: new Map(contracts.map((c) => [c.no, c])),
    rooms: Map.groupBy(rooms, (r) => r.villageId),
    parties: new Map([...byName].map(([key, list]) => [key, distinct(list.map((p) => p.id))])),
    subjects,
  };
}

/** The room that a text means in a store: its full name, its name beside the store, or its door where that is unique. */
function roomNamed(rooms: readonly Room[], village: Village, text: string): Room | string {
  const parts = (name: string) => name.replaceAll(/\s*[·•/-]\s*/g, "·");
  const wanted = parts(text);
  const exact = rooms.find((r) =>
    [r.fullName, roomBeside(village.name, r.fullName)].some((name) => parts(name) === wanted),
  );
  if (exact) return exact;
  const ending = rooms.filter((r) => parts(r.fullName).endsWith(`·${wanted}`));
  if (ending.length === 1) return ending[0]!;
  return ending.length
    ? `有 ${ending.length} 个房间叫 ${text}，请写全，如 ${roomBeside(village.name, ending[0]!.fullName)}`
    : "该门店没有这个房间";
}

function find({ row, typed }: TypedRow, village: Village, around: Around): Found | undefined {
  let wrong = false;
  const no = (field: Field, msg: string): void => {
    wrong = true;
    row.say(field, msg);
  };
  const subject = around.subjects.named(village.id, typed.subject);
  if (!subject || !subject.enabled) no("subject", "没有这个费用科目，或已停用");
  else if (!isCharged(subject.kind)) no("subject", "该科目不能用于应收账单");
  const parties = around.parties.get(`${village.id} ${typed.party}`) ?? [];
  let roomId: number | null = null;
  let contract: Contract | undefined;
  if (isNumber(typed.place)) {
    contract = around.contracts.get(typed.place.toUpperCase());
    if (contract?.villageId !== village.id) no("place", "该门店没有这份合同");
    else if (contract.partyName !== typed.party && !parties.includes(contract.partyId))
      no("party", `与合同不符，该合同的租客是 ${contract.partyName}`);
    else roomId = contract.roomId;
  } else {
    const room = roomNamed(around.rooms.get(village.id) ?? [], village, typed.place);
    if (typeof room === "string") no("place", room);
    else roomId = room.id;
    if (!parties.length) no("party", "该门店没有这位客户");
  }
  if (wrong) return undefined;
  const namesakes = contract ? [contract.partyId] : parties;
  return {
    row,
    typed,
    villageId: village.id,
    roomId,
    contractId: contract?.id ?? null,
    partyId: namesakes[0]!,
    namesakes,
    subject: subject!,
  };
}

/** Bills of a room belong to the contract that its tenant lives there by, where there is just one. */
async function linkContracts(read: Read, rows: Found[]): Promise<void> {
  const open = rows.filter((of) => of.contractId === null && of.roomId !== null);
  const living = Map.groupBy(await livingIn(read, distinct(open.map((of) => of.roomId!))), (l) => l.roomId);
  for (const of of open) {
    const hits = (living.get(of.roomId!) ?? []).filter((l) => of.namesakes.includes(l.partyId));
    const people = distinct(hits.map((hit) => hit.partyId));
    if (people.length === 1) of.partyId = people[0]!;
    else if (of.namesakes.length > 1)
      of.row.say("party", `有 ${of.namesakes.length} 位客户同名，请填写合同号`);
    const [hit, ...more] = hits;
    if (hit?.signed && !more.length) of.contractId = hit.contractId;
  }
  for (const { row, subject, contractId } of rows)
    if (isHeld(subject.kind) && contractId === null) row.say("place", "押金、定金须填写合同号");
}

/** The same charge twice, in the file or beside a bill that stands. */
async function checkTwice(read: Read, rows: readonly Found[]): Promise<void> {
  const known = await standing(read, distinct(rows.map((of) => of.partyId)));
  const seen = new Map<string, number>();
  for (const { row, typed, subject, partyId, roomId } of rows) {
    const key = keyOf({ ...typed, partyId, roomId, subjectId: subject.id });
    const first = seen.get(key);
    const billNo = known.get(key);
    if (first !== undefined) row.say("subject", `与第 ${first} 行重复`);
    else if (billNo) row.say("subject", `已有相同的账单 ${billNo}`);
    seen.set(key, first ?? row.number);
  }
}

export const BILLS: Importer<Bills, object> = {
  table: "billImport",
  letters: "DR",
  needs: "#2605",
  whose: "sender",
  naming: true,
  things: "账单",
  counter: "笔",
  record: "账单",
  columns: async () => COLUMNS,
  megabytes: 30,
  template: { example: COLUMNS.map((column) => column.example).join("　") },
  place: async () => ({}),
  sameFile: "anybody",
  check: checkBills,
  kept: (found) => ({ amount: found?.amount ?? 0, villageIds: found?.villageIds ?? [] }),
  make: async (act, { rows, amount }, { id, number }) => {
    await refuseVoided(act, rows);
    const bills = await newBills(act, rows, id);
    const made = await makeBills(act, bills);
    await act.note(
      made.map((bill, i) => ({
        kind: "bill",
        recordId: bill.id,
        number: bill.billNo,
        villageId: bills[i]!.villageId,
        action: "导入",
        summary: `导入账单 ${yuan(rows[i]!.typed.amount)}（${number} 第 ${rows[i]!.row.number} 行）`,
      })),
    );
    return { count: made.length, told: `导入账单 ${made.length} 笔，合计 ${yuan(amount)}` };
  },
};

/** A contract that was found may be void by now. */
async function refuseVoided(act: Act, rows: readonly Found[]): Promise<void> {
  const contracts = await keepContracts(act, distinct(rows.flatMap((row) => row.contractId ?? [])));
  const gone = contracts.find((contract) => !contract.bears);
  if (gone) throw new Refusal("notAllowed", `合同 ${gone.contractNo} 已作废，请核对后重新导入`);
}

async function newBills(act: Act, rows: readonly Found[], importId: number): Promise<NewBill[]> {
  const terms = new Map<string, Awaited<ReturnType<typeof lateFeeTermsOf>>>();
  const agreedOf = ({ villageId, contractId }: Found) => `${villageId} ${contractId ?? ""}`;
  for (const row of rows)
    if (!terms.has(agreedOf(row)))
      terms.set(agreedOf(row), await lateFeeTermsOf(act, row.villageId, row.contractId));
  return rows.map((row): NewBill => {
    const { typed, subject, villageId, roomId, contractId, partyId } = row;
    const { from, to, dueDate, amount, remark } = typed;
    return {
      villageId,
      roomId,
      contractId,
      partyId,
      title: subject.name,
      dueDate,
      periodStart: from,
      periodEnd: to,
      source: "import",
      sourceId: importId,
      remark,
      ...terms.get(agreedOf(row))!,
      lines: [
        {
          subject: subject.id,
          roomId,
          amount,
          periodStart: from,
          periodEnd: to,
          slices: [{ from, to, amount }],
          explain: { rule: "manual", quantity: "1", price: amount },
        },
      ],
    };
  });
}
