import type { Call } from "../kernel/call.ts";
import { NAMED } from "../kernel/fields/named-fields.ts";
import type { IdOf } from "./calls/bodies.ts";
import { APART } from "./mirror.ts";

/** Which records a request names, told by the names of its fields, for checks that send ids of somebody else's records. */

const isVillageField = (field: string) => NAMED.village.test(field);
const isIdField = (field: string) => /(^id|Id)s?$/.test(field) || isVillageField(field);
/** Whether a foreign id in a field is refused before a call is handled; in a query an entry only narrows what is shown. */
export const isGuarded = (field: string, inBody: boolean) =>
  isVillageField(field) || (inBody && (NAMED.feeSubject.test(field) || NAMED.assetDic.test(field)));

/** Fields whose name is not that of their table. */
const MEANS: readonly [RegExp, string][] = [
  [/file|^scan$/, "stored_file"],
  [/^(subject|fee)$/, "fee_subject"],
  [/^(manager|owner|signer|creator|assignee|leader)$/, "operator"],
  [/account$/, "merchant_account"],
  [/area$/, "public_area"],
  [/^(keep|gone|target)$/, "party"],
  [/^line$/, "bill_line"],
  [/^(kept|repaid)$/, "flow"],
  [/^(here|there)$/, "reconcile_item"],
  [/^(other|previous)$/, "contract"],
  [/^occupant$/, "contract_occupant"],
  [/^part$/, "party_contact"],
  [/^income$/, "third_party_income"],
  [/^use$/, "bank_line_use"],
  [/^template$/, "message_template"],
];

/** The record that a field may mean, of those known by table: villageId, billIds, payeeFileId … */
export const idIn =
  (known: ReadonlyMap<string, number>): IdOf =>
  (field) => {
    if (/^ids?$/.test(field)) return 1;
    if (isVillageField(field)) return known.get("village");
    const table = /^(.+?)Ids?$/.exec(field)?.[1]?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (table === undefined) return undefined;
    const called = MEANS.find(([pattern]) => pattern.test(table))?.[1];
    return known.get(table) ?? known.get(called ?? table.replace(/^.*_/, ""));
  };
/** Folders of a path whose name is not that of their table. */
const FOLDERS: readonly [RegExp, string][] = [
  [/(company|merchant)\/import/, "firmImport"],
  [/salesStatement\/import/, "salesImport"],
  [/indicatorTarget\/import/, "targetImport"],
  [/thirdPartyIncome\/import/, "thirdPartyImport"],
  [/(\w+)\/import/, "$1Import"],
  [/renewal\/offer/, "renewalOffer"],
  [/renewal\/desk|sealTask/, "contract"],
  [/posting\/mapping/, "glMapping"],
  [/customer\/.*\/contact/, "partyContact"],
  [/push\/recipient|sendLog/, "pushRecipient"],
  [/push/, "pushTask"],
  [/archive/, "contractArchive"],
  [/reconcile/, "reconcileItem"],
  [/amendment/, "amend"],
  [/settlementBatch/, "leavingBatch"],
  [/settlement/, "settle"],
  [/renewal/, "renew"],
  [/cost$/, "bill"],
  [/posting$/, "voucherBatch"],
  [/workday/, "specialDay"],
  [/journal/, "journalEntry"],
  [/budget/, "budgetVersion"],
  [/owing/, "party"],
  [/download\/task/, "downloadTask"],
  [/system\/\w+\/file/, "storedFile"],
  [/roomStatus\/detail/, "room"],
];
const recordIn = (folder: string, idOf: IdOf) => {
  const known = idOf(`${/\w*$/.exec(folder)![0]}Id`);
  if (known !== undefined) return known;
  const [pattern, table] = FOLDERS.find(([each]) => each.test(folder)) ?? [];
  return pattern && idOf(`${pattern.exec(folder)![0].replace(pattern, table!)}Id`);
};
/** A record of the table that the path names before its id. */
export const recordAt = (c: Call, idOf: IdOf) => recordIn(/^.*?(?=\/:)/.exec(c.path)?.[0] ?? "", idOf);
/** The same of a path without an id: of the last of its folders that names a table, whose records a list of ids means. */
export const recordNear = (c: Call, idOf: IdOf) =>
  recordAt(c, idOf) ??
  c.path
    .split("/")
    .map((_, i, parts) => recordIn(parts.slice(0, parts.length - i).join("/"), idOf))
    .find((id) => id !== undefined);

/** The same with records of the mirror in every field but those that keep theirs. */
export const own = (value: unknown, keeps: (field: string) => boolean = () => false, field = ""): unknown => {
  if (Array.isArray(value)) return value.map((one) => own(one, keeps, field));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, own(inner, keeps, key)]));
  if (keeps(field) || !isIdField(field) || !/^\d+$/.test(String(value))) return value;
  return typeof value === "string" ? String(Number(value) + APART) : Number(value) + APART;
};
/** The fields in which something sent names a record. */
export const named = (value: unknown, field = ""): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => named(inner, Array.isArray(value) ? field : key))
    : isIdField(field) && /^\d+$/.test(String(value))
      ? [field]
      : [];
