import { creditCheckCharacter } from "../../platform/kernel/texts/certificate.ts";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import { maskBank, maskPhone } from "../../platform/kernel/texts/mask.ts";
import type { Company } from "../company.ts";
import { mobile } from "../names.ts";
import { at } from "../numbers.ts";
import type { DemoRoom } from "../stores/stores.ts";
import type { Tenant } from "../leases/tenant.ts";

/** Invented firms: none of them is known to any register. */
type Made = { name: string; pinyin: string; contact: readonly [name: string, position: string] };

const COMPANIES: readonly (Made & {
  industry: string;
  scale: string;
  address: string;
  creditDays: number;
  creditLimit: number | null;
  tags: string[];
})[] = [
  {
    name: "云岚软件有限公司",
    pinyin: "ylrjyxgs",
    contact: ["孙晓梅", "行政主管"],
    industry: "互联网",
    scale: "200至1000人",
    address: "滨江区江晖路 128 号 6 楼",
    creditDays: 15,
    creditLimit: 8_000_000,
    tags: ["优质客户"],
  },
  {
    name: "和信精密制造有限公司",
    pinyin: "hxjmzzyxgs",
    contact: ["马建国", "人事经理"],
    industry: "制造业",
    scale: "50至200人",
    address: "萧山区建设四路 66 号",
    creditDays: 0,
    creditLimit: 1_500_000,
    tags: [],
  },
  {
    name: "知行教育咨询有限公司",
    pinyin: "zxjyzxyxgs",
    contact: ["林静怡", "办公室主任"],
    industry: "教育",
    scale: "50人以下",
    address: "拱墅区丰潭路 18 号",
    creditDays: 7,
    creditLimit: null,
    tags: ["重点跟进"],
  },
];

const MERCHANTS: readonly (Made & { brand: string; category: string })[] = [
  { name: "晨光早餐店", pinyin: "cgzcd", contact: ["陈师傅", "店主"], brand: "晨光", category: "餐饮" },
  { name: "邻里便利店", pinyin: "llbld", contact: ["吴海燕", "店长"], brand: "邻里", category: "便利店" },
  {
    name: "净而快洗衣服务部",
    pinyin: "jekxyfwb",
    contact: ["方志强", "店主"],
    brand: "净而快",
    category: "生活服务",
  },
  { name: "活力健身工作室", pinyin: "hljsgzs", contact: ["何旭", "负责人"], brand: "活力", category: "健身" },
];

type Plan = { room: DemoRoom; start: Day; fate: string };

/** Rooms that a company lets at most, and every how many leases of a store one is a company's. */
const MOST_ROOMS = 4;
const EVERY = 6;

type Firm = Tenant & { index: number; kind: "company" | "merchant"; villages: Map<number, Day> };
type Firms = { seen: number; made: Map<string, Firm>; rooms: Map<string, number>; balances: Set<string> };
const known = new WeakMap<Company, Firms>();
const of = (co: Company): Firms => {
  const firms = known.get(co) ?? { seen: 0, made: new Map(), rooms: new Map(), balances: new Set() };
  known.set(co, firms);
  return firms;
};

function firmOf(co: Company, kind: Firm["kind"], index: number): Firm {
  const firms = of(co);
  const key = `${kind} ${index}`;
  const there = firms.made.get(key);
  if (there) return there;
  const { name } = (kind === "company" ? COMPANIES : MERCHANTS)[index]!;
  const phone = mobile(phoneOf(kind, index));
  const firm: Firm = {
    id: co.ids("party"),
    name,
    maskedPhone: maskPhone(phone),
    maskedCert: "",
    index,
    kind,
    villages: new Map(),
  };
  firms.made.set(key, firm);
  return firm;
}
const phoneOf = (kind: Firm["kind"], index: number) => 810_000 + (kind === "company" ? 0 : 100) + index;

/**
 * Which firm rents a room in place of a person: shops are merchants', and some rooms of the first stores are a
 * company's, whose people live in them.
 */
export function firmFor(co: Company, { room, start, fate }: Plan): Firm | undefined {
  if (fate !== "running" || room.kind === "parking" || room.villageId > 4) return undefined;
  const firms = of(co);
  let firm: Firm | undefined;
  if (room.kind === "shop") {
    const next = [...firms.made.values()].filter((f) => f.kind === "merchant").length;
    if (next < MERCHANTS.length) firm = firmOf(co, "merchant", next);
  } else if (room.villageId <= COMPANIES.length && ++firms.seen % EVERY === 0) {
    const key = `company ${room.villageId - 1}`;
    const let_ = firms.rooms.get(key) ?? 0;
    if (let_ < MOST_ROOMS) {
      firms.rooms.set(key, let_ + 1);
      firm = firmOf(co, "company", room.villageId - 1);
    }
  }
  if (!firm) return undefined;
  const first = firm.villages.get(room.villageId);
  if (!first || start < first) firm.villages.set(room.villageId, start);
  return firm;
}

function creditCodeOf({ kind, index }: Pick<Firm, "kind" | "index">): string {
  const first17 = `91330108MA${kind === "company" ? "3" : "5"}${String(index + 1).padStart(3, "0")}K2R`;
  return first17 + creditCheckCharacter(first17);
}

/** What a contract prints of a firm beside its name. */
export const signedAs = (firm: Firm) => ({
  creditCode: creditCodeOf(firm),
  contactName: (firm.kind === "company" ? COMPANIES : MERCHANTS)[firm.index]!.contact[0],
});

/** True the first time: a party has one balance in a village, however many leases it has there. */
export function opensBalance(co: Company, villageId: number, partyId: number): boolean {
  const { balances } = of(co);
  const key = `${villageId} ${partyId}`;
  if (balances.has(key)) return false;
  balances.add(key);
  return true;
}

/** The person for whom a company rents the room lives in it. */
export const makeOccupant = (
  { sink, ids }: Company,
  lease: { contractId: number; room: DemoRoom; start: Day; end: Day; person: Tenant & { phone: string } },
) =>
  sink.add("contract_occupant", {
    id: ids("contract_occupant"),
    contractId: lease.contractId,
    roomId: lease.room.id,
    renterId: lease.person.id,
    name: lease.person.name,
    phone: lease.person.phone,
    certType: "idCard",
    certNoMasked: lease.person.maskedCert,
    relation: "员工",
    fromDate: lease.start,
    toDate: lease.end,
  });

/** Everything about the firms that rent, and those of the lists that do not rent yet. */
export async function makeFirms(co: Company, manager: number): Promise<void> {
  for (const [kind, all] of [
    ["company", COMPANIES],
    ["merchant", MERCHANTS],
  ] as const)
    for (const [index] of all.entries()) await makeFirm(co, firmOf(co, kind, index), manager);
}

async function makeFirm(co: Company, firm: Firm, manager: number): Promise<void> {
  const { sink, ids, enterpriseId, today } = co;
  const { id, kind, index } = firm;
  const first = [...firm.villages.values()].toSorted()[0] ?? today;
  const home = [...firm.villages.keys()].toSorted((a, b) => a - b)[0] ?? index + 1;
  const made: Made = kind === "company" ? COMPANIES[index]! : MERCHANTS[index]!;
  const creditCode = creditCodeOf(firm);
  const phone = mobile(phoneOf(kind, index));
  const createdAt = at(addDays(first, -10));
  await sink.add("party", {
    id,
    enterpriseId,
    kind,
    name: made.name,
    phone,
    pinyin: made.pinyin,
    createdAt,
    createdBy: co.clerkOf(home),
  });
  await sink.add("firm", {
    id,
    enterpriseId,
    kind,
    creditCode,
    numberHash: co.cipher.hash(creditCode),
    address: kind === "company" ? COMPANIES[index]!.address : "",
    tags: kind === "company" ? COMPANIES[index]!.tags : [],
    homeVillageId: home,
  });
  for (const [villageId, day] of firm.villages.size ? firm.villages : [[home, first] as const])
    await sink.add("party_village", {
      villageId,
      partyId: id,
      because: villageId === home ? "home" : "contract",
      firstDay: day,
    });
  if (kind === "company") {
    const { industry, scale, creditDays, creditLimit } = COMPANIES[index]!;
    await sink.add("company", { id, industry, scale, ownerId: manager, creditDays, creditLimit });
  } else {
    const { brand, category } = MERCHANTS[index]!;
    await sink.add("merchant", { id, brand, category, subject: "company", legalName: made.contact[0] });
  }
  // merchants hear of bills by phone; the domain is one that nobody can own
  const mailbox = (who: string) => (kind === "company" ? `${who}${index + 1}@example.com` : "");
  const contact = (name: string, position: string, tel: string, main: boolean) =>
    sink.add("party_contact", {
      id: ids("party_contact"),
      partyId: id,
      name,
      phone: tel,
      position,
      email: mailbox(main ? "xingzheng" : "caiwu"),
      main,
      getsBills: main || kind === "company",
    });
  await contact(made.contact[0], made.contact[1], phone, true);
  if (kind === "company") await contact("财务室", "财务", `0571-8680${1000 + index}`, false);
  await sink.add("invoice_title", {
    id: ids("invoice_title"),
    partyId: id,
    kind: "company",
    title: made.name,
    taxNo: creditCode,
    isDefault: true,
  });
  const number = `33050161${String(8_800_000_000 + id)}`;
  await sink.add("bank_account", {
    id: ids("bank_account"),
    partyId: id,
    holder: made.name,
    bank: "建设银行",
    branch: "杭州滨江支行",
    numberCipher: co.cipher.seal(number),
    numberHash: co.cipher.hash(number),
    numberMasked: maskBank(number),
    isDefault: true,
  });
  await co.note({
    kind,
    recordId: id,
    number: "",
    villageId: home,
    action: "新增",
    summary: `登记${kind === "company" ? "企业" : "商户"}${made.name}`,
    day: addDays(first, -10),
  });
}
