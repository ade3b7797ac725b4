import { z } from "zod";
import { day, flag, id, link, number, status, text } from "../../../platform/kernel/field.ts";
import { ACT_KIND_WORDS } from "../act/act.rules.ts";
import { contracts } from "../contract/contract.contract.ts";
import { ofAnyKind } from "../terms/kind.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

/** Further files of a contract, over the years. */
export const MOST_FURTHER = 20;
const oneDocument = oneRecord.extend({ documentId: z.coerce.number().int().positive() });

/** The lease as PDF: with 待签稿 or 草稿 in its margin until it is signed. */
export const contractPaper = contracts.get("/:id/paper", "打印合同", ofAnyKind("get", "add", "edit"), {
  target: "contract",
  timeout: 300_000,
  perMinute: 120,
});

const chosen = z.coerce.number().int().positive().optional();

/** A draft as it is about to be handed in: in the words of a template, in the name of the lessor whose seal was chosen. */
export const draftPaper = contracts.get("/:id/paper/draft", "打印合同草稿", ofAnyKind("add", "edit"), {
  target: "contract",
  query: z.object({ templateVersionId: chosen, sealId: chosen }),
  timeout: 300_000,
  perMinute: 120,
});

/** The templates that a draft can be handed in with, the newest first. */
export const contractTemplates = contracts.get("/:id/templates", "可用合同模板", ofAnyKind("add", "edit"), {
  reply: z.array(
    z.object({
      versionId: id,
      name: text("模板"),
      no: number("版本"),
      /** Fields that this contract leaves to be written by hand. */
      missing: z.array(z.string()),
    }),
  ),
});

const version = z.coerce.number().int().positive().optional();

/** What was agreed from which day on, the newest first, and two versions side by side: the last two unless others are named. */
export const termsVersions = contracts.get("/:id/termsVersions", "合同条款版本", ofAnyKind("get"), {
  target: "contract",
  query: z.object({ older: version, newer: version }),
  reply: z.object({
    versions: z.array(
      z.object({
        version: number("版本"),
        effectiveFrom: day("生效日"),
        endDate: day("到期日"),
        /** None: as signed. */
        actKind: status("办理", ACT_KIND_WORDS).nullable(),
        actNo: link("单号").nullable(),
      }),
    ),
    /** None where the terms never changed. */
    older: z.number().int().nullable(),
    newer: z.number().int().nullable(),
    rows: z.array(
      z.object({
        section: text("条款"),
        older: text("原约定"),
        newer: text("新约定"),
        changed: flag("不同"),
      }),
    ),
  }),
});

/** 补传: files that come after a contract was handed in. None is ever taken away: what was wrong is put right by a further one. */
export const addFurtherFiles = contracts.post("/:id/documents", "补传合同文件", ofAnyKind("edit"), {
  target: "contract",
  body: z.object({
    fileIds: z
      .array(id)
      .min(1, "请上传文件")
      .max(MOST_FURTHER, `文件最多${MOST_FURTHER}个`)
      .meta({ title: "文件", kind: "file" }),
  }),
  reply: z.object({ added: number("补传文件数") }),
});

export const documentFile = contracts.get("/:id/documents/:documentId", "下载合同文件", ofAnyKind("get"), {
  target: "contract",
  timeout: 300_000,
  params: oneDocument,
});

/** Reads the kept bytes, computes their hash anew and checks the digital signature that closes them, where there is one. */
export const checkDocument = contracts.get(
  "/:id/documents/:documentId/check",
  "核验合同文件",
  ofAnyKind("get"),
  {
    target: "contract",
    params: oneDocument,
    reply: z.object({
      same: flag("未改动"),
      said: text("结果"),
      kept: text("保存的 SHA-256"),
      found: text("当前 SHA-256"),
      signature: text("数字签名"),
    }),
  },
);
