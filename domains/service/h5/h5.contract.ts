import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { id } from "../../../platform/kernel/field.ts";
import { AGREEMENT_TYPES } from "./block.rules.ts";
const pages = callsAt("/support/api/v3/h5Page");
const picture = z.object({ fileId: id.meta({ title: "图片", kind: "file" }), alt: z.string() });

const target = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("url"), url: z.string() }),
  z.object({ kind: z.literal("phone"), phone: z.string() }),
  /** `gone`: it led to a page that is not on show any more. */
  z.object({ kind: z.literal("page"), pageId: id, gone: z.boolean().optional() }),
]);

const block = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("heading"), text: z.string(), level: z.union([z.literal(1), z.literal(2)]) }),
  z.object({ kind: z.literal("text"), text: z.string() }),
  picture.extend({ kind: z.literal("image") }),
  z.object({ kind: z.literal("gallery"), images: z.array(picture) }),
  z.object({ kind: z.literal("button"), label: z.string(), to: target }),
  z.object({
    kind: z.literal("contact"),
    name: z.string(),
    phone: z.string(),
    hours: z.string(),
    address: z.string(),
  }),
  z.object({ kind: z.literal("divider") }),
]);

/** An id that is no number names nothing, and is answered as that. */
const anyId = z.object({ id: z.string() });

export const publicH5 = pages.get("/public/:id", "查看H5页面", "public", {
  perMinute: 120,
  params: anyId,
  reply: z.object({ id, title: z.string(), number: z.int(), blocks: z.array(block) }),
});

/** A picture of the version on show, for whoever sees the page. */
export const publicH5File = pages.get("/public/:id/file/:fileId", "查看H5页面的图片", "public", {
  params: anyId.extend({ fileId: z.string() }),
});

/** Without a version the one that holds today. */
export const publicAgreement = pages.get("/agreement", "查看协议", "public", {
  perMinute: 120,
  query: z.object({ type: z.string().max(20), version: z.string().max(9).optional() }),
  reply: z.object({
    type: z.enum(AGREEMENT_TYPES),
    title: z.string(),
    number: z.int(),
    effectiveDay: z.string(),
    blocks: z.array(block),
    /** The version before this one, where there is one. */
    before: z.int().nullable(),
    /** The one that holds today, where it is another. */
    holds: z.int().nullable(),
  }),
});
