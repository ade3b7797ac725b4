import { roomBeside } from "../../../platform/kernel/names.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { MOST_WRONG, type WrongCell } from "../../../platform/kernel/wrong-cells.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { isHeld } from "../bill/bill.rules.ts";
import { isCharged, type Subject } from "../subject/subject.rules.ts";
import { enterpriseSubjects } from "./subjects.queries.ts";
import type { Field } from "./columns.rules.ts";
import {
  contractsNamed,
  keyOf,
  livingIn,
  partiesNamed,
  roomsOf,
  standing,
  villagesNamed,
  type Contract,
  type Room,
  type Village,
} from "./find.queries.ts";
import { typedRows, type Say, type TypedRow } from "./sheet.service.ts";

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
export type Checked = {
  rows: Found[];
  rowCount: number;
  amount: Fen;
  villageIds: number[];
  errors: WrongCell[];
  errorCount: number;
};

type Around = {
  contracts: Map<string, Contract>;
  rooms: Map<number, Room[]>;
  parties: Map<string, number[]>;
  subjects: (villageId: number, name: string) => Subject | undefined;
};

const isNumber = (place: string) => /^HT\d/i.test(place);
const distinct = <T>(values: readonly T[]) => [...new Set(values)];

/** Judges a whole file: every wrong cell by row and column, against the file itself and against what is registered. */
export async function checkFile(read: Read, bytes: Buffer): Promise<Checked> {
  const { rows: typed, rowCount, errors, say } = await typedRows(bytes);
  const villages = await villagesNamed(read);
  const placed = typed.flatMap((row) => {
    const village = villages.find(
      (v) => v.name === row.typed.village || (v.shortName !== "" && v.shortName === row.typed.village),
    );
    if (!village) say(row, "village", "没有这个门店，或不在您的管辖范围");
    return village ? [{ row, village }] : [];
  });
  const villageIds = distinct(placed.map(({ village }) => village.id));
  const around = await aroundOf(read, villageIds, typed);
  const found = placed.flatMap(({ row, village }) => find(row, village, around, say) ?? []);
  await linkContracts(read, found, say);
  await checkTwice(read, found, say);
  return {
    rows: found,
    rowCount,
    amount: typed.reduce((sum, row) => sum + row.typed.amount, 0),
    villageIds,
    errors: errors.toSorted((a, b) => a.row - b.row).slice(0, MOST_WRONG),
    errorCount: errors.length,
  };
}

async function aroundOf(read: Read, villageIds: number[], rows: readonly TypedRow[]): Promise<Around> {
  const numbers = distinct(rows.map((r) => r.typed.place.toUpperCase()).filter((place) => isNumber(place)));
  const [contracts, rooms, parties, subjects] = await Promise.all([
    contractsNamed(read, numbers),
    roomsOf(read, villageIds),
    partiesNamed(read, villageIds, distinct(rows.map((r) => r.typed.party))),
    enterpriseSubjects(read, villageIds),
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

function find({ text, typed }: TypedRow, village: Village, around: Around, say: Say): Found | undefined {
  let wrong = false;
  const no = (field: Field, msg: string): void => {
    wrong = true;
    say({ text }, field, msg);
  };
  const subject = around.subjects(village.id, typed.subject);
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
    text,
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
async function linkContracts(read: Read, rows: Found[], say: Say): Promise<void> {
  const open = rows.filter((row) => row.contractId === null && row.roomId !== null);
  const living = Map.groupBy(await livingIn(read, distinct(open.map((r) => r.roomId!))), (l) => l.roomId);
  for (const row of open) {
    const hits = (living.get(row.roomId!) ?? []).filter((l) => row.namesakes.includes(l.partyId));
    const people = distinct(hits.map((hit) => hit.partyId));
    if (people.length === 1) row.partyId = people[0]!;
    else if (row.namesakes.length > 1)
      say(row, "party", `有 ${row.namesakes.length} 位客户同名，请填写合同号`);
    if (hits.length === 1) row.contractId = hits[0]!.contractId;
  }
  for (const row of rows)
    if (isHeld(row.subject.kind) && row.contractId === null) say(row, "place", "押金、定金须填写合同号");
}

/** The same charge twice, in the file or beside a bill that stands. */
async function checkTwice(read: Read, rows: readonly Found[], say: Say): Promise<void> {
  const known = await standing(read, distinct(rows.map((r) => r.partyId)));
  const seen = new Map<string, number>();
  for (const row of rows) {
    const { typed, subject, partyId, roomId } = row;
    const key = keyOf({ ...typed, partyId, roomId, subjectId: subject.id });
    const first = seen.get(key);
    const billNo = known.get(key);
    if (first !== undefined) say(row, "subject", `与第 ${first} 行重复`);
    else if (billNo) say(row, "subject", `已有相同的账单 ${billNo}`);
    seen.set(key, first ?? row.text.number);
  }
}
