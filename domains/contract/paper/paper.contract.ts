import { z } from "zod";
import { flag, text } from "../../../platform/kernel/field.ts";
import { contracts } from "../contract/contract.contract.ts";
import { ofAnyKind } from "../terms/kind.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

const oneDocument = oneRecord.extend({ documentId: z.coerce.number().int().positive() });

/** The lease as PDF: with 待签稿 or 草稿 in its margin until it is signed. */
export const contractPaper = contracts.get("/:id/paper", "打印合同", ofAnyKind("get", "add", "edit"), {
  target: "contract",
  timeout: 300_000,
  perMinute: 120,
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
      kept: text("签署时 SHA-256"),
      found: text("当前 SHA-256"),
      signature: text("数字签名"),
    }),
  },
);
