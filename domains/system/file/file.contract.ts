import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { id, number, text } from "../../../platform/kernel/field.ts";
import { bytesOf, PURPOSE_NAMES, PURPOSES, type PurposeName } from "./purposes.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

export const storedFile = z.object({
  id,
  name: text("文件名"),
  type: text("类型"),
  size: number("大小", { unit: "字节" }),
  sha256: z.string(),
});
export type StoredFile = z.output<typeof storedFile>;

/** Loose until a record takes it (`attachFile`); until then only who uploaded it may read it. */
export const uploadFile = callsAt("/system/api/v3/upload", "file").post("", "上传文件", "login", {
  upload: { maxBytes: bytesOf("30M"), maxFiles: 1 },
  timeout: 300_000,
  perMinute: 120,
  body: z.object({ purpose: z.enum(PURPOSE_NAMES, { error: "上传用途不正确" }).default("paper10M") }),
  reply: storedFile,
});

const uploadFor = (purpose: PurposeName) =>
  call({
    method: "POST",
    path: `${uploadFile.path}/${purpose}`,
    summary: "上传文件",
    needs: "login",
    upload: { maxBytes: bytesOf(PURPOSES[purpose].cap), maxFiles: 1 },
    target: "file",
    timeout: 300_000,
    perMinute: 120,
    reply: storedFile,
  });

/** The same for fields of one purpose each, with its own cap: `UPLOADS.image10M`. */
export const UPLOADS = Object.fromEntries(PURPOSE_NAMES.map((name) => [name, uploadFor(name)])) as Record<
  PurposeName,
  ReturnType<typeof uploadFor>
>;

export const getFile = callsAt("/system/api/v3/file").get("/:id", "查看文件", "login", {});
