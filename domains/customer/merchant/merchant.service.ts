import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { keepPaper } from "../../party/paper/paper.service.ts";
import { checkWords, offered } from "../../system/dic/dic.service.ts";
import { seenFirm, type SeenFirm } from "../firm/firm.queries.ts";
import { createFirm, updateFirm, type FirmNumber } from "../firm/firm.service.ts";
import { SUBJECTS } from "../firm/words.rules.ts";
import type { MerchantFields, MerchantInput } from "./merchant.contract.ts";

export async function wordsOf(read: Read) {
  const [categories, tags] = await Promise.all([
    offered(read, "customer", "business"),
    offered(read, "customer", "tag"),
  ]);
  return { categories: categories.map((w) => w.name), tags: tags.map((w) => w.name) };
}

const category = (act: Act, input: MerchantFields, kept: string[] = []) =>
  checkWords(act, "customer", "business", [input.category], { field: "category", kept });

const own = ({ brand, category: trade, subject, legalName }: MerchantFields) => ({
  brand,
  category: trade,
  subject,
  legalName,
});

export async function createMerchant(act: Act, input: MerchantInput): Promise<{ id: number }> {
  await category(act, input);
  const id = await makeMerchant(act, input);
  if (input.licenceFileId)
    await keepPaper(
      act,
      { id, kind: "merchant", homeVillageId: input.homeVillageId },
      {
        kind: "licence",
        name: "营业执照",
        fileId: input.licenceFileId,
        endDay: input.licenceEndDay ?? null,
      },
    );
  return { id };
}

/** The same of an input whose words have been checked. */
export async function makeMerchant(act: Act, input: MerchantInput): Promise<number> {
  const number: FirmNumber =
    input.subject === "company"
      ? { creditCode: input.creditCode }
      : { certType: input.certType!, certNo: input.certNo! };
  const id = await createFirm(act, "merchant", { ...input, number });
  await act.tx
    .insertInto("merchant")
    .values({ id, ...own(input) })
    .execute();
  return id;
}

/** The number of an edit; a certificate that stays away stays as it is, under its kind. */
function numberOf(before: SeenFirm, input: MerchantFields): FirmNumber | undefined {
  if (input.subject === "company") return { creditCode: input.creditCode };
  if (input.certNo) return { certType: input.certType!, certNo: input.certNo };
  if (before.subject === "company" || input.certType !== before.certType)
    throw invalid({ field: "certNo", msg: "请输入证件号" });
  return undefined;
}

export async function updateMerchant(
  act: Act,
  id: number,
  { version, ...input }: MerchantFields & { version: number },
): Promise<{ id: number }> {
  const before = await seenFirm(act, "merchant", id);
  await category(act, input, [before.category!]);
  const subject = (code: string) => SUBJECTS[code as keyof typeof SUBJECTS][0];
  await updateFirm(act, before, version, { ...input, number: numberOf(before, input) }, [
    ["主体", subject(before.subject!), subject(input.subject)],
    ["品牌", before.brand!, input.brand],
    ["业态", before.category!, input.category],
    ["法定代表人", before.legalName!, input.legalName],
  ]);
  await act.tx.updateTable("merchant").set(own(input)).where("id", "=", id).execute();
  return { id };
}
