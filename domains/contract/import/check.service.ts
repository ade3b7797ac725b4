import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { subjectsFor } from "../../finance/subject/subject.service.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { type Store, storesNamed } from "../../system/import/stores.service.ts";
import { configOf, startingTerms } from "../config/config.service.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { isFurther } from "./owed.rules.ts";
import { owedOf } from "./owed.service.ts";
import { type Planned, planRow } from "./planned.rules.ts";
import { type Obstacle, type Place, meet, obstaclesOf, placesOf } from "./places.queries.ts";
import { readRow, type ContractRow } from "./row.rules.ts";

type Judged = {
  row: Row;
  read: ContractRow | undefined;
  store: Store | undefined;
  place: Place | undefined;
};

/** Judges all rows: every cell, rows against each other, and all of it against what stands already. */
export async function checkContracts(
  read: Read,
  all: readonly Row[],
  { takenOn }: { takenOn: Day },
): Promise<Planned[]> {
  const { contracts = [], further = [] } = Object.groupBy(all, (row) =>
    isFurther(row.text) ? "further" : "contracts",
  );
  const rows = await judged(read, contracts, takenOn);
  neighbours(rows);
  await againstLeases(read, rows);
  await againstOldNumbers(read, rows);
  const good = rows.filter((r) => r.read && r.store && r.place);
  const { people, wrong } = await meet(
    read,
    good.map((r) => ({ n: r.row.number, enterpriseId: r.store!.enterpriseId, tenant: r.read!.tenant })),
  );
  for (const { row } of rows) {
    const msg = wrong.get(row.number);
    if (msg) row.add("certNo", msg);
  }
  const owed = await owedOf(read, rows, further, takenOn);
  const terms = await termsOf(read, good);
  const planned: Planned[] = [];
  for (const { row, read: line, store, place } of good) {
    const person = people.get(row.number);
    if (row.wrong.length || !person) continue;
    const made = planRow(line!, {
      ...terms.get(place!.villageId)!,
      n: row.number,
      villageName: store!.name,
      place: place!,
      person,
      owed: owed.get(row.number),
      today: read.today,
    });
    if ("wrong" in made) for (const { key, msg } of made.wrong) row.add(key, msg);
    else planned.push(made.planned);
  }
  return planned;
}

/** Each row by itself, with its store and room. */
async function judged(read: Read, rows: readonly Row[], takenOn: Day): Promise<Judged[]> {
  const storeOf = await storesNamed(read);
  const own = rows.map((row) => {
    const { row: line, wrong } = readRow(row.text, { today: read.today, takenOn });
    for (const { key, msg } of wrong) row.add(key, msg);
    return { row, read: line, store: storeOf(row) };
  });
  const placeOf = await placesOf(read, [...new Set(own.flatMap(({ store }) => store?.id ?? []))]);
  return own.map((of) => {
    const { room } = of.row.text;
    const found = of.store && room !== undefined ? placeOf(of.store.id, room) : undefined;
    const msg = found && roomRefusal(found, of.store!.name, room!, of.read?.end);
    if (msg) of.row.add("room", msg);
    return { ...of, place: typeof found === "object" ? found : undefined };
  });
}

function roomRefusal(
  found: Place | "unknown" | "ambiguous",
  village: string,
  typed: string,
  end: Day | undefined,
): string | undefined {
  if (found === "unknown") return `${village}没有房间“${typed.slice(0, 30)}”`;
  if (found === "ambiguous")
    return `${village}有多个房间叫“${typed.slice(0, 30)}”，请填写楼栋·单元·门牌·房间名`;
  if (found.kind === "shop") return "商铺请签商户合同";
  if (found.kind === "parking" || found.kind === "storage") return "车位和储藏间只能随房出租";
  if (found.retiredDay && (!end || found.retiredDay <= end))
    return `${found.name} 自 ${found.retiredDay} 起已注销`;
  return undefined;
}

/** Rows of one file that let the same room twice, or carry the same number. */
function neighbours(rows: readonly Judged[]): void {
  const taken = new Map<number, { row: number; from: Day; to: Day }[]>();
  const numbers = new Map<string, number>();
  for (const r of rows) {
    if (r.read?.oldNo) {
      const first = numbers.get(r.read.oldNo);
      if (first)
        r.row.add("oldNo", `与第 ${first} 行重复；同一合同的其他欠费另起一行，只填门店、合同号和欠费`);
      else numbers.set(r.read.oldNo, r.row.number);
    }
    if (!r.read || !r.place) continue;
    const { start: from, end: to } = r.read;
    const clash = r.place.leaves
      .flatMap((leaf) => taken.get(leaf) ?? [])
      .find((other) => other.from <= to && from <= other.to);
    if (clash) r.row.add("room", `与第 ${clash.row} 行的房间和租期重叠`);
    for (const leaf of r.place.leaves)
      taken.set(leaf, [...(taken.get(leaf) ?? []), { row: r.row.number, from, to }]);
  }
}

async function againstLeases(read: Read, rows: readonly Judged[]): Promise<void> {
  const obstacles = await obstaclesOf(
    read,
    rows.flatMap(({ row, read: line, place }) =>
      line && place ? [{ n: row.number, leaves: place.leaves, from: line.start, to: line.end }] : [],
    ),
  );
  for (const r of rows) {
    const found = obstacles.get(r.row.number);
    if (found) r.row.add("room", takenText(found));
  }
}

const takenText = ({ room, from, to, who, heldOver }: Obstacle) =>
  heldOver
    ? `${room} 的原租客（${who}）到期未退，请先结算或续租`
    : `${room} 在 ${from} 至 ${to ?? "未定"} 已被 ${who} 占用`;

/** A number that came in before and still stands is the same contract. */
async function againstOldNumbers(read: Read, rows: readonly Judged[]): Promise<void> {
  const numbers = [...new Set(rows.flatMap((r) => (r.read?.oldNo && r.store ? [r.read.oldNo] : [])))];
  if (!numbers.length) return;
  const known = await read.tx
    .selectFrom("contract")
    .select(["oldNo", "villageId", "contractNo"])
    .where("oldNo", "in", numbers)
    .where("state", "<>", "voided")
    .execute();
  const found = new Map(known.map((c) => [`${c.villageId} ${c.oldNo}`, c.contractNo]));
  for (const r of rows) {
    const contractNo = r.read?.oldNo && r.store && found.get(`${r.store.id} ${r.read.oldNo}`);
    if (contractNo) r.row.add("oldNo", `已导入为 ${contractNo}`);
  }
}

/** What each village's contracts start from, and the fee that a management fee is booked on. */
async function termsOf(
  read: Read,
  rows: readonly Judged[],
): Promise<Map<number, { terms: Terms; propertyId: number | undefined; propertyName: string }>> {
  const stores = new Map(rows.map((r) => [r.store!.id, r.store!]));
  const found = new Map();
  if (!stores.size) return found;
  const subjects = await subjectsFor(read, [...stores.keys()]);
  const charged = rows.some((r) => r.read!.property > 0);
  for (const { id, enterpriseId } of stores.values()) {
    const subject = charged ? subjects.find(id, "property") : undefined;
    found.set(id, {
      terms: startingTerms(await configOf(read, { enterpriseId, villageId: id })),
      propertyId: subject?.id,
      propertyName: subject?.name ?? "",
    });
  }
  return found;
}
