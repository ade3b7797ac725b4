import { certificateOf } from "../../../platform/kernel/texts/certificate.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { changeParty } from "../../party/party/party.service.ts";
import { bringAlong, reservedRefusal } from "../record/merge.service.ts";
import { MERGEABLE, type Mergeable } from "./acts.contract.ts";
import { seenRenter } from "./renter.queries.ts";
import { noteRenter } from "./renter.service.ts";

type Renter = Awaited<ReturnType<typeof seenRenter>>;
type Wish = {
  keepId: number;
  keepVersion: number;
  goneId: number;
  goneVersion: number;
  take: readonly Mergeable[];
  reason: string;
};

/** Columns of the renter behind each field that a merge may take; name and phone stand on the party. */
const COLUMNS = {
  certificate: [
    "certType",
    "certNoCipher",
    "certNoHash",
    "certNoMasked",
    "verify",
    "verifyNote",
    "verifiedAt",
  ],
  gender: ["gender"],
  birthday: ["birthday"],
  email: ["email"],
  work: ["occupation", "employer"],
  emergency: ["emergencyName", "emergencyPhone", "emergencyRelation"],
  guardian: ["guardianName", "guardianPhone"],
  source: ["source"],
  remark: ["remark"],
} as const satisfies Partial<Record<Mergeable, readonly (keyof Renter)[]>>;

function refuseIfDifferent(keep: Renter, gone: Renter) {
  if (keep.id === gone.id) throw new Refusal("same", "请选择两条不同的租客记录");
  if (keep.enterpriseId !== gone.enterpriseId)
    throw new Refusal("otherEnterprise", "两条记录不属于同一企业，不能合并");
  const both = keep.verify === "verified" && gone.verify === "verified" && keep.certNoHash && gone.certNoHash;
  if (both && !Buffer.from(keep.certNoHash!).equals(Buffer.from(gone.certNoHash!)))
    throw new Refusal("differentPeople", "两条记录的证件均已核验且不一致，不能合并");
}

/**
 * Two records of one person become one. The other turns into an alias: its contracts, bills and flows stay as they were
 * written and are found under the record kept, so no financial record is rewritten.
 */
export async function mergeInto(act: Act, wish: Wish): Promise<void> {
  const keep = await seenRenter(act, wish.keepId);
  const gone = await seenRenter(act, wish.goneId);
  refuseIfDifferent(keep, gone);
  const reserved = await reservedRefusal(act, gone.id);
  if (reserved) throw new Refusal("reserved", reserved);
  const taken = Object.fromEntries(
    wish.take.flatMap((field) =>
      field in COLUMNS
        ? COLUMNS[field as keyof typeof COLUMNS].map((column) => [column, gone[column]] as const)
        : [],
    ),
  );
  const over = {
    name: wish.take.includes("name") ? gone.name : undefined,
    phone: wish.take.includes("phone") ? gone.phone : undefined,
  };
  const versions = [
    [keep.id, wish.keepVersion, over],
    [gone.id, wish.goneVersion, undefined],
  ] as const;
  // In the order of ids, so that two merges the other way round wait instead of locking each other out.
  for (const [id, version, set] of versions.toSorted((a, b) => a[0] - b[0]))
    await changeParty(act, id, version, set);
  await act.tx
    .updateTable("renter")
    .set({ mergedIntoId: keep.id })
    .where((eb) => eb.or([eb("id", "=", gone.id), eb("mergedIntoId", "=", gone.id)]))
    .execute();
  const tags = [...new Set([...keep.tags, ...gone.tags])].slice(0, 10);
  await act.tx
    .updateTable("renter")
    .set({ ...taken, tags })
    .where("id", "=", keep.id)
    .execute();
  await bringAlong(act, keep.id, gone.id);
  await noteRenter(act, keep, {
    action: "合并",
    summary: `并入租客${gone.name}的记录：${wish.reason}`,
    after: { 取自被并入记录: wish.take.map((field) => MERGEABLE[field]).join("、") },
  });
  await noteRenter(act, gone, { action: "合并", summary: `已并入租客${keep.name}：${wish.reason}` });
}

export type Verdict = { verify: "verified" | "failed"; note: string };

/** Whoever can tell whether name and number belong together. */
export type Verifier = (person: { name: string; certType: string; certNo: string }) => Promise<Verdict>;

/** The default: form and check digit alone. It asks no outside register, and says so. */
export const formCheck: Verifier = ({ certType, certNo }) => {
  const wrong = certificateOf(certType)(certNo);
  return Promise.resolve(
    wrong
      ? { verify: "failed", note: `${wrong}（仅校验证件格式，未联网核验）` }
      : { verify: "verified", note: "仅校验证件格式和校验位，未联网核验姓名与证件是否一致" },
  );
};
