import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { dayInput, id, pick, reason, remark, some, version } from "../../../platform/kernel/field.ts";
import { LINK_HOURS } from "../config/sign.contract.ts";
import { ROLES, type SignerRole } from "../config/sign.rules.ts";
import { ofAnyKind } from "../terms/kind.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const contract = callsAt("/contract/api/v3/contract/:id", "contract");
/** Hash of the preview that the person has seen and agrees to. */
const previewHash = z.string().regex(/^[0-9a-f]{64}$/, "请先核对账单试算");
const SIGNERS = Object.keys(ROLES) as [SignerRole, ...SignerRole[]];
const moved = z.object({ id, state: z.string(), version });
/** With the approval that it waits for, where it does. */
const submitted = moved.extend({ examineNo: z.string().nullable() });

export const submitContract = contract.post("/submit", "提交签约", ofAnyKind("add", "edit"), {
  money: true,
  body: z.object({
    previewHash,
    /** Asked for when the party is on the black list. */
    blackListReason: reason("黑名单签约说明").optional(),
    /** Asked for when the company goes beyond its credit limit. */
    creditReason: reason("超授信签约说明").optional(),
    /** One of those that are offered; the newest of them where nobody chose. */
    templateVersionId: pick("合同模板").optional(),
    /** One of those that are offered; the first of them where nobody chose. */
    sealId: pick("印章").optional(),
    /** How long each link of this contract is good; as the store's where nobody said. */
    linkHours: LINK_HOURS.optional(),
    /** Who signs before whom, everybody once; as in the store where nobody said. */
    signOrder: some(SIGNERS, "请选择签署顺序").optional(),
    /** Links to sign by go out as soon as it is approved; of what waits for no approval they are sent by `sign/start`. */
    sendsLinks: z.boolean().optional(),
    /** For whoever approves it. */
    note: remark("提交说明").optional(),
  }),
  reply: submitted,
});

export const withdrawContract = contract.put("/withdraw", "撤回签约", ofAnyKind("add", "edit", "sign"), {
  body: z.object({ reason: remark("撤回原因") }),
  reply: moved,
});

export const signOfflineContract = contract.post("/sign/offline", "确认线下签署", ofAnyKind("sign"), {
  money: true,
  body: z.object({
    fileIds: z
      .array(id)
      .min(1, "请上传扫描件")
      .max(20, "最多上传20个文件")
      .meta({ title: "扫描件", kind: "file" }),
    signedOn: dayInput("签署日期"),
    previewHash,
  }),
  reply: submitted.extend({ bills: z.number().int() }),
});

export const voidContract = contract.post("/void", "作废合同", ofAnyKind("void"), {
  money: true,
  body: z.object({ reason: reason("作废原因"), version }),
  reply: submitted,
});

export const handOver = contract.post("/handover", "办理入住", ofAnyKind("edit"), {
  body: z.object({
    handoverOn: dayInput("入住日期"),
    /** Needed when the money that should be there is not. */
    overrideReason: reason("未付首款入住原因").optional(),
    version,
  }),
  reply: moved,
});

/** Within a day, and before anybody leaves again. */
export const undoHandover = contract.post("/handover/undo", "撤销办理入住", ofAnyKind("edit"), {
  body: z.object({ reason: reason("撤销原因"), version }),
  reply: moved,
});

export const contractApproved = event("contract.approved", z.object({ contractId: id }));

export const contractHandedOver = event(
  "contract.handedOver",
  z.object({ contractId: id, villageId: id, on: z.string() }),
  { waitsFor: "locks and meters of its rooms" },
);

export const contractHandoverUndone = event(
  "contract.handoverUndone",
  z.object({ contractId: id, villageId: id }),
  { waitsFor: "locks and meters of its rooms" },
);

export const contractExpired = event(
  "contract.expired",
  z.object({ contracts: z.array(z.object({ contractId: id, villageId: id })) }),
  { waitsFor: "keys that stay valid until the settlement" },
);
