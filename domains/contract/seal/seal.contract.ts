import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { OPERATORS } from "../../access/operator/operator.contract.ts";
import { bytesOf } from "../../system/file/purposes.rules.ts";
import { listLessors } from "../lessor/lessor.contract.ts";
import { CERTIFICATE_SOURCES, SEAL_KINDS } from "./seal.rules.ts";

const words = <W extends Record<string, string>>(texts: W) => f.plainWords(texts);
export const SEAL_KIND_WORDS = words(SEAL_KINDS);
export const CERTIFICATE_WORDS = words(CERTIFICATE_SOURCES);

export const LESSORS: filter.Source = {
  call: listLessors,
  option: (o: { id: number; name: string; creditCode: string }) => ({
    value: o.id,
    label: o.name,
    note: o.creditCode,
  }),
};

const path = "/contract/api/v3/seal";
const family = recordCalls({ path, title: "印章", target: "seal", code: 95 });
const seals = callsAt(path, "seal");
const manages = { needs: "#9501" } as const;

export const sealRow = z.object({
  id: f.id,
  name: f.link("名称"),
  kind: f.status("类型", SEAL_KIND_WORDS),
  imageFileId: f.id,
  lessorId: f.id,
  lessorName: f.text("企业"),
  villageNames: f.text("可用门店"),
  operatorNames: f.text("可用人员"),
  source: f.status("证书", CERTIFICATE_WORDS),
  /** Of an imported certificate; the deployment's own is followed by the next in time. */
  validTo: f.instant("证书到期").nullable(),
  autoSeal: f.flag("自动盖章"),
  /** Why it may not be set today; empty when it may. */
  why: f.text("不可用原因"),
  state: f.status("状态", SWITCHED),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});

export const listSeals = family.list(
  pageQuery("updatedAt", "name", "validTo").extend({
    villageIds: filter.villages(),
    lessorId: filter.record("企业", LESSORS),
    kind: filter.choices("类型", SEAL_KIND_WORDS),
    state: filter.choice("状态", SWITCHED),
    keyword: filter.keyword("名称、企业"),
  }),
  sealRow,
);

export const getSeal = family.get(
  sealRow.extend({
    /** Of the caller's own stores. */
    villageIds: z.array(f.id),
    operatorIds: z.array(f.id),
    image: z.object({ id: f.id, name: z.string(), type: z.string() }),
    subject: f.text("证书主体"),
    issuer: f.text("颁发者"),
    serial: f.text("证书序列号"),
    fingerprint: f.text("证书指纹 SHA-256"),
    validFrom: f.instant("证书生效").nullable(),
    uses: f.number("用印次数", { unit: "次" }),
    createdAt: f.instant("创建时间"),
  }),
);

const many = (title: string, most: number) =>
  z
    .array(f.id, { error: `请选择${title}` })
    .min(1, `请选择${title}`)
    .max(most)
    .meta({ title, kind: "text" });
const sealBody = z.object({
  lessorId: f.pick("企业"),
  name: f.checked("名称", nameOf("印章名称"), { max: 30 }),
  kind: f.choice("类型", SEAL_KIND_WORDS),
  imageFileId: z
    .number({ error: "请上传印章图片" })
    .pipe(f.id)
    .meta({ title: "印章图片", kind: "file", help: "透明背景的PNG图片，不超过2M" }),
  villageIds: many("可用门店", 500),
  operatorIds: many("可用人员", 200),
  autoSeal: f
    .flag("自动盖章", { help: "客户签署后由系统自动盖章；关闭时由可用人员在待盖章中盖章" })
    .default(false),
});
export type SealBody = z.output<typeof sealBody>;
export const addSeal = family.add(sealBody, manages);
/** Whose it is stays: what it closed names that lessor. */
export const editSeal = family.edit(sealBody.omit({ lessorId: true }), manages);
export const enableSeal = family.enable(manages);
export const disableSeal = family.disable(manages);

export const importCertificate = seals.post("/:id/certificate", "导入印章证书", "#9502", {
  upload: { maxBytes: bytesOf("2M"), maxFiles: 1 },
  perMinute: 10,
  body: z.object({
    password: f.secret(
      z
        .string({ error: "请输入证书密码" })
        .max(100, "证书密码最多100个字符")
        .regex(/^[\x20-\x7e]*$/, "证书密码只能包含英文字母、数字和符号")
        .default(""),
    ),
  }),
  reply: z.object({ id: f.id }),
});
/** Back to the deployment's own certificate. */
export const dropCertificate = seals.delete("/:id/certificate", "改用系统证书", "#9502", {
  query: z.object({ version: f.versionInQuery }),
  reply: z.object({ id: f.id }),
});

const USED = { kind: "days", title: "用印时间", from: "from", to: "to" } as const;
export const sealUseRow = z.object({
  id: f.id,
  at: f.instant("时间"),
  sealName: f.text("印章"),
  sealKind: f.status("类型", SEAL_KIND_WORDS),
  lessorName: f.text("企业"),
  title: f.text("文件"),
  fileId: f.id.nullable(),
  villageName: f.text("门店"),
  operatorName: f.person("操作人"),
  reason: f.text("原因"),
});

const SEALS: filter.Source = {
  call: listSeals,
  option: (o: { id: number; name: string; lessorName: string }) => ({
    value: o.id,
    label: o.name,
    note: o.lessorName,
  }),
};
export const listSealUses = callsAt("/contract/api/v3/sealUse").get("", "用印记录", "95.query", {
  query: pageQuery("at").extend({
    villageIds: filter.villages(),
    sealId: filter.record("印章", SEALS),
    operatorId: filter.record("操作人", OPERATORS),
    from: filter.by(f.dayInput("起").optional(), USED),
    to: filter.by(f.dayInput("止").optional(), USED),
    keyword: filter.keyword("文件"),
  }),
  reply: pageReply(sealUseRow),
});
export const exportSealUses = exportOf({
  type: "sealUse",
  title: "用印记录",
  needs: "95.export",
  list: listSealUses,
});
