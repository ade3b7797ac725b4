import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { remark, secret } from "../../../platform/kernel/field.ts";
import { storedFile } from "../file/file.contract.ts";
import { bytesOf, PURPOSE_NAMES } from "../file/purposes.rules.ts";
import { MOST_FILES, phoneMaySend } from "./ticket.rules.ts";
const tickets = callsAt("/system/api/v3/upload/ticket", "file");
const token = z.object({ token: secret(z.string()) });
const arrival = storedFile.omit({ sha256: true });

/** For a form that is open on a desk: half an hour, for this operator and as long as their session lasts. */
export const openTicket = tickets.post("", "生成手机上传链接", "login", {
  perMinute: 60,
  body: z.object({
    purpose: z.enum(PURPOSE_NAMES, { error: "上传用途不正确" }).refine(phoneMaySend, "上传用途不正确"),
    /** What the field is called, so that the phone says the same. */
    title: remark("标题", 40).default(""),
    maxFiles: z.int().min(1).max(MOST_FILES),
  }),
  reply: z.object({ token: z.string(), secondsLeft: z.int() }),
});

/** The phone asks without signing in; the desk, signed in, hears of what came also after the end. */
export const readTicket = tickets.get("/:token", "查看手机上传链接", "public", {
  knows: true,
  params: token,
  reply: z.object({
    purpose: z.enum(PURPOSE_NAMES),
    title: z.string(),
    maxFiles: z.int(),
    state: z.enum(["open", "done", "expired"]),
    secondsLeft: z.int(),
    files: z.array(arrival),
  }),
});

export const sendToTicket = tickets.post("/:token", "手机上传文件", "public", {
  upload: { maxBytes: bytesOf("30M"), maxFiles: 1 },
  timeout: 300_000,
  perMinute: 120,
  params: token,
  reply: arrival,
});

/** The phone is finished, or the desk has closed its dialog; answers all that came. */
export const endTicket = tickets.delete("/:token", "结束手机上传", "public", {
  knows: true,
  params: token,
  reply: z.object({ files: z.array(arrival) }),
});
