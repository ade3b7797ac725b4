import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";

// What passes between the page of a one-time link and the server, without a login.

export const token = z.object({ token: f.secret(z.string().regex(/^[A-Za-z0-9_-]{20,64}$/, "链接无效")) });

/** What anybody with the link may know. */
export const linked = z.object({
  enterprise: z.string(),
  /** Whose last four characters are asked for. */
  last4Of: z.enum(["certificate", "creditCode", "ward", "phone"]),
  lockedMinutes: z.number().int(),
});

export const last4 = f.secret(
  z
    .string({ error: "请输入后四位" })
    .trim()
    .toUpperCase()
    .regex(/^[0-9A-Z]{4}$/, "请输入后四位"),
);

/** What a device got for naming the last four characters. */
export const onDevice = z.object({
  device: f.secret(z.string({ error: "请先输入证件号后四位" }).max(64)),
});

export const codeAsk = onDevice.extend({
  imageCode: f.secret(z.string().trim().max(10)).optional(),
  imageCodeKey: f.secret(z.string().max(64)).optional(),
});
export const codeSent = z.object({ seconds: z.number().int(), phone: z.string() });

/** Says yes to the very file that was shown, with the code of the phone. */
export const agreeing = (no: { hash: string; tick: string }) =>
  onDevice.extend({
    captcha: f.secret(
      z
        .string({ error: "请输入短信验证码" })
        .trim()
        .regex(/^\d{6}$/, "请输入6位短信验证码"),
    ),
    documentHash: z.string().regex(/^[0-9a-f]{64}$/, no.hash),
    agreed: z.literal(true, { error: no.tick }),
  });

const run = z.object({ text: z.string(), strong: z.boolean().optional() });
const shownBlock = z.object({
  kind: z.enum([
    "title",
    "heading",
    "text",
    "note",
    "rich",
    "pairs",
    "table",
    "grid",
    "signatures",
    "break",
    "appendix",
  ]),
  text: z.string().optional(),
  runs: z.array(run).optional(),
  mark: z.string().optional(),
  cells: z.array(z.array(run)).optional(),
  pairs: z.array(z.array(z.string())).optional(),
  columns: z.array(z.object({ title: z.string(), right: z.boolean().optional() })).optional(),
  rows: z.array(z.array(z.string())).optional(),
  sums: z.array(z.string()).optional(),
  sides: z.array(z.object({ role: z.string(), name: z.string() })).optional(),
  date: z.string().optional(),
});

/** A paper as it is read on a phone, from the same text as the file. */
export const shownPaper = z.object({
  hash: z.string(),
  blocks: z.array(shownBlock),
  phone: z.string(),
  needImageCode: z.boolean(),
  secondsToNextCode: z.number().int(),
  consent: z.object({ text: z.string(), terms: z.array(z.string()) }),
});
