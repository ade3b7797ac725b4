import {
  ROOM_NAME_MAX,
  roomNames,
  roomNamesOf,
  noSpecialCharacters,
} from "../../../platform/kernel/texts/names.ts";
import { area } from "../../../platform/kernel/numbers.ts";
import { roomsOf, type RoomMade } from "../room/divide.rules.ts";
import { isDivided, kindOf, type RentMode, type RoomKind } from "../room/words.rules.ts";
import { COLUMNS, GENDER_WORDS, MODE_WORDS, UNIT_WORDS, type ColumnKey } from "./columns.rules.ts";
import {
  among,
  cellsOf,
  dayOfText,
  listOf,
  moneyOf,
  wholeOf,
  wordOf,
  yesNo,
  type Read,
  type Texts,
  type Wrong,
} from "../../system/import/value.rules.ts";

const areaOf = (typed: string): Read<number> =>
  area(typed) ? { msg: "面积格式不正确" } : { value: Number(typed) };

/** 3, 3F, 3层, 3楼, B1, -1, 地下1层 */
export function floorOf(typed: string): Read<number> {
  const m = /^(B|-|地下|负)?(\d{1,2})(F|层|楼)?$/i.exec(typed);
  const number = m ? Number(m[2]) * (m[1] ? -1 : 1) : 0;
  return number !== 0 && number >= -10 ? { value: number } : { msg: "楼层格式不正确，应为 3、3F 或 B1" };
}

export type Typed = Texts<ColumnKey>;

/** The words of the dictionary that a row may use. */
export type HouseWords = Record<"orientations" | "decorations" | "facilities", readonly string[]> & {
  /** Codes by their names. */
  sources: Readonly<Record<string, string>>;
};

/** One flat as a row describes it. */
export type FlatRow = {
  village: string;
  community: string;
  building: string;
  unit: string | null;
  floor: number;
  door: string;
  mode: RentMode;
  wholeToo: boolean;
  product: string;
  kind: RoomKind;
  facts: {
    bedrooms: number;
    halls: number;
    baths: number;
    kitchens: number;
    grossArea: number;
    innerArea: number | null;
    orientation: string;
    decoration: string;
    gender: "any" | "male" | "female";
    source: string;
    headLeaseEnd: string | null;
    remark: string;
  };
  rooms: RoomMade[];
};

/** Reads one row. What belongs to the row alone is judged here; villages, products and neighbours come later. */
export function readRow(
  typed: Typed,
  today: string,
  words: HouseWords,
): { flat?: FlatRow; wrong: Wrong<ColumnKey>[] } {
  const { wrong, add, take } = cellsOf(typed, COLUMNS);
  const name = (key: ColumnKey, min: number, max: number, what: string): string => {
    const text = typed[key] ?? "";
    if (text && (text.length < min || text.length > max)) add(key, `${what}长度为${min}到${max}个字`);
    else if (noSpecialCharacters(text)) add(key, "名称不能包含特殊字符");
    return text;
  };
  const small = (key: ColumnKey) => take(key, (text) => wholeOf(text, 0, 10)) ?? 0;

  const mode = take("mode", among<RentMode>(MODE_WORDS, "出租方式"));
  const divided = mode !== undefined && isDivided(mode);
  const names = roomNamesIn(typed.rooms, mode, add);
  const wholeToo = take("wholeToo", yesNo) ?? false;
  if (wholeToo && mode && !divided) add("wholeToo", "只有合租、床位可填是");
  const grossArea = take("grossArea", areaOf);
  const innerArea = take("innerArea", areaOf);
  if (innerArea && grossArea && innerArea > grossArea) add("innerArea", "套内面积不能大于建筑面积");

  /** One value for every room, or as many as there are rooms, apart by a slash. */
  const each = <T>(key: ColumnKey, read: (text: string) => Read<T>): (T | undefined)[] => {
    const text = typed[key];
    if (text === undefined) return names.map(() => undefined);
    const parts = text.split("/").map((part) => part.trim());
    if (parts.length > 1 && parts.length !== names.length) {
      add(key, `有 ${parts.length} 个值，房间名有 ${names.length} 个`);
      return names.map(() => undefined);
    }
    const values = parts.map((part) => read(part));
    const bad = values.find((value) => value.msg !== undefined);
    if (bad) add(key, bad.msg!);
    return names.map((_, i) => (values.length > 1 ? values[i] : values[0])?.value);
  };
  const areas = each("roomArea", areaOf);
  const lists = each("listPrice", moneyOf);
  const lowests = each("lowestPrice", moneyOf);
  if (lowests.some((low, i) => low !== undefined && lists[i] !== undefined && low > lists[i]))
    add("lowestPrice", "底价不能高于标价");
  const capacities = each("capacity", (text) => wholeOf(text, 1, 50));

  const facilities = listIn(typed.facilities).map((item) => wordOf(item, words.facilities, "设施"));
  const unknown = facilities.find((f) => f.msg !== undefined);
  if (unknown) add("facilities", unknown.msg!);
  const tags = listIn(typed.tags);
  if (tags.length > 10) add("tags", "标签最多10个");
  else if (tags.some((tag) => !tag || tag.length > 10)) add("tags", "每个标签1到10个字");
  if ((typed.remark?.length ?? 0) > 200) add("remark", "备注最多200个字");

  const place = {
    village: typed.village ?? "",
    community: name("community", 2, 30, "小区"),
    building: name("building", 1, 18, "楼栋"),
    unit: name("unit", 1, 10, "单元") || null,
    floor: take("floor", floorOf) ?? 0,
    door: name("door", 1, 18, "门牌"),
  };
  const facts = {
    bedrooms: small("bedrooms"),
    halls: small("halls"),
    baths: small("baths"),
    kitchens: small("kitchens"),
    innerArea: innerArea ?? null,
    orientation: take("orientation", (t) => wordOf(t, words.orientations, "朝向")) ?? "",
    decoration: take("decoration", (t) => wordOf(t, words.decorations, "装修")) ?? "",
    gender: take("gender", among(GENDER_WORDS, "性别限制")) ?? "any",
    source: take("source", among(words.sources, "产权来源")) ?? "own",
    headLeaseEnd: take("headLeaseEnd", dayOfText) ?? null,
    remark: typed.remark ?? "",
  };
  const unit = take("unitOfPrice", among(UNIT_WORDS, "计价单位")) ?? "month";
  const firstDay = take("firstDay", dayOfText) ?? today;
  const minTermMonths = take("minTerm", (t) => wholeOf(t, 1, 60)) ?? null;
  if (divided && wholeToo && names.includes(place.door)) add("rooms", `房间名不能与门牌相同：${place.door}`);
  if (wrong.length || mode === undefined || grossArea === undefined) return { wrong };

  const rooms = roomsOf(
    { name: place.door, rentMode: mode, wholeToo, grossArea },
    names.map((roomName, i) => ({
      name: roomName,
      area: areas[i] ?? grossArea,
      ...(capacities[i] && { capacity: capacities[i] }),
      listPrice: lists[i] ?? null,
      lowestPrice: lowests[i] ?? null,
    })),
    {
      orientation: facts.orientation,
      facilities: facilities.flatMap((f) => f.value ?? []),
      tags: [...new Set(tags)],
      minTermMonths,
      firstDay,
      unit,
    },
    // let whole, all rooms together cost what they cost apart
    {
      listPrice: lists.reduce<number>((sum, price) => sum + (price ?? 0), 0),
      lowestPrice: lists.reduce<number>((sum, price, i) => sum + (lowests[i] ?? price ?? 0), 0),
    },
  );
  return {
    wrong,
    flat: {
      ...place,
      mode,
      wholeToo: wholeToo && divided,
      product: typed.product ?? "",
      kind: kindOf(mode),
      facts: { ...facts, grossArea },
      rooms,
    },
  };
}

const listIn = (text: string | undefined): string[] => (text === undefined ? [] : listOf(text));

/** The names of the rooms; a flat let as a whole has one without a name of its own. */
function roomNamesIn(
  text: string | undefined,
  mode: RentMode | undefined,
  add: (key: ColumnKey, msg: string) => void,
): string[] {
  if (mode === undefined) return [""];
  if (!isDivided(mode)) {
    if (text !== undefined) add("rooms", "只有合租、床位填写房间名");
    return [""];
  }
  if (text === undefined) {
    add("rooms", "合租、床位请填写房间名");
    return [""];
  }
  const msg = roomNames(text.replaceAll("、", ","));
  if (msg) add("rooms", msg);
  const names = roomNamesOf(text.replaceAll("、", ","));
  if (names.length > 50) add("rooms", "一套最多50个房间");
  return msg || names.some((n) => n.length > ROOM_NAME_MAX) ? [""] : names;
}
