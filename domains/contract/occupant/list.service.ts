import { canonicalNumber, certificateOf, genderOf } from "../../../platform/kernel/texts/certificate.ts";
import { contactMobile, personName } from "../../../platform/kernel/texts/contact.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { maskCertificate } from "../../../platform/kernel/texts/mask.ts";
import type { WrongCell } from "../../../platform/kernel/fields/wrong-cells.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import {
  type Newcomer,
  type PersonWish,
  type Rooms,
  forbiddenIn,
  placeAt,
  placeOn,
} from "./change.service.ts";
import { LIST_COLUMNS, type ListKey, type ListRow, certTypeOf, leaves, roomCalled } from "./list.rules.ts";
import type { Lived } from "./occupant.queries.ts";
import { planStays } from "./stay.rules.ts";

export type Typed = {
  name: string;
  phone: string;
  certType: string;
  certNo: string;
  gender?: "male" | "female" | null | undefined;
  relation: string;
  lockAccess: boolean;
};

/** Somebody as they are kept: the number sealed and masked, the gender from an identity card. A wrong number is told instead. */
export function newcomerOf(read: Read, person: Typed): Newcomer | { msg: string } {
  const { certNo, certType, name, phone, relation, lockAccess } = person;
  const wrong = certificateOf(certType)(certNo);
  if (wrong) return { msg: wrong };
  const number = canonicalNumber(certNo);
  return {
    name,
    phone,
    certType,
    certNoCipher: read.cipher.seal(number),
    certNoMasked: maskCertificate(number),
    certHash: read.cipher.hash(number),
    gender: (certType === "idCard" && genderOf(number)) || (person.gender ?? null),
    relation,
    lockAccess,
  };
}

export type Judged = {
  row: number;
  name: string;
  becomes: "come" | "move" | "leave" | "same";
  before: string;
  after: string;
};
type Say = (key: ListKey, msg: string) => void;

const sameBytes = (a: Buffer | null, b: Buffer) => a !== null && Buffer.from(a).equals(b);

/** Whom a row is about, if they live in one of the company's rooms: by certificate, else by name and phone. */
function knownIn(stays: readonly Lived[], row: ListRow, hash: Buffer | undefined): Lived | undefined {
  const byCert = hash && stays.findLast((s) => sameBytes(s.certHash, hash));
  return byCert || stays.findLast((s) => !s.certHash && s.name === row.name && s.phone === row.phone);
}

/** One row's wish; undefined when it says nothing new or something wrong. */
function wishOf(read: Read, { places, stays }: Rooms, row: ListRow, n: number, day: Day, say: Say) {
  const hash = row.certNo ? read.cipher.hash(row.certNo) : undefined;
  const stay = knownIn(stays, row, hash);
  const before = stay && placeAt(places, stay);
  const base = { row: n, name: row.name, before: before?.roomName ?? "" };
  if (leaves(row.room)) {
    const gone =
      stay ?? (row.certNo ? undefined : stays.findLast((s) => s.name === row.name && s.phone === row.phone));
    if (!gone) {
      say("name", "没有找到该入住人");
      return undefined;
    }
    const wish: PersonWish = { row: n, name: row.name, gender: gone.gender, stay: gone, to: null };
    return {
      ...base,
      before: placeAt(places, gone)?.roomName ?? "",
      becomes: "leave" as const,
      after: "",
      wish,
    };
  }
  const called = roomCalled(places, row.room);
  if ("msg" in called) say("room", called.msg);
  const badName = row.name === row.name.trim() ? personName(row.name) : "姓名不能以空格开头或结尾";
  if (badName) say("name", badName);
  const badPhone = contactMobile(row.phone);
  if (badPhone) say("phone", badPhone);
  const person = newcomerOf(read, {
    ...row,
    certType: certTypeOf(row.certNo),
    relation: "",
    lockAccess: true,
  });
  if ("msg" in person) {
    say("certNo", row.certNo ? person.msg : "请填写证件号");
    return undefined;
  }
  if ("msg" in called || badName || badPhone) return undefined;
  const to = placeOn(places, called.roomId, day)!;
  if (before && before.roomId === to.roomId && before.contractId === to.contractId)
    return { ...base, becomes: "same" as const, after: to.roomName };
  const wish: PersonWish = { row: n, name: row.name, gender: stay?.gender ?? person.gender, stay, to };
  if (!stay) wish.newcomer = person;
  return { ...base, becomes: stay ? ("move" as const) : ("come" as const), after: to.roomName, wish };
}

/** What a list would do from a day on, and what is wrong with it, cell by cell. */
export async function judgeList(read: Read, rooms: Rooms, list: readonly ListRow[], day: Day) {
  const errors: WrongCell[] = [];
  const cellOf = (n: number, key: ListKey, msg: string) =>
    errors.push({
      row: n + 1,
      column: "ABCD"[Object.keys(LIST_COLUMNS).indexOf(key)]!,
      header: LIST_COLUMNS[key],
      value: list[n]![key],
      msg,
    });
  const seen = new Map<string, number>();
  const judged = list.flatMap((row, n) => {
    const key = row.certNo.toUpperCase();
    const twin = key ? seen.get(key) : undefined;
    if (twin !== undefined) {
      cellOf(n, "certNo", `证件号与第 ${twin + 1} 行重复`);
      return [];
    }
    if (key) seen.set(key, n);
    return wishOf(read, rooms, row, n, day, (field, msg) => cellOf(n, field, msg)) ?? [];
  });
  const wishes = judged.flatMap((j) => ("wish" in j && j.wish ? [j.wish] : []));
  for (const { row, field, msg } of planStays(rooms.stays, wishes, day).wrong)
    cellOf(row, field === "roomId" ? "room" : "certNo", msg);
  for (const { wish, msg } of await forbiddenIn(read, wishes)) cellOf(wish.row, "name", msg);
  const rows: Judged[] = judged.map(({ row, name, becomes, before, after }) => ({
    row: row + 1,
    name,
    becomes,
    before,
    after,
  }));
  return { rows, wishes, errors: errors.toSorted((a, b) => a.row - b.row) };
}
