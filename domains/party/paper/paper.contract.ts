import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { atVersion, EDITS, ofParty, partId, READS } from "../contact/contact.contract.ts";
import { PAPER_KINDS, PAPER_STATES } from "./paper.rules.ts";
const partyPapers = callsAt("/customer/api/v3/partyPaper", "party");

export const listPapers = partyPapers.get("", "客户附件", READS, {
  query: ofParty,
  reply: z.array(
    z.object({
      id: f.id,
      kind: f.status("类型", PAPER_KINDS),
      name: f.text("名称"),
      fileId: f.id,
      endDay: f.day("有效期至").nullable(),
      state: f.status("状态", PAPER_STATES),
      createdName: f.person("上传人"),
      createdAt: f.instant("上传时间"),
      version: f.version,
    }),
  ),
});

export const addPaper = partyPapers.post("", "新增客户附件", EDITS, {
  body: z.object({
    partyId: f.id,
    kind: f.choice("类型", PAPER_KINDS),
    name: f.input("名称", 1, 50),
    fileId: f.pick("文件").meta({ title: "文件", kind: "file" }),
    endDay: f.lifeDayInput("有效期至").nullish(),
  }),
  reply: z.object({ id: f.id }),
});

export const deletePaper = partyPapers.delete("/:id", "删除客户附件", EDITS, {
  params: partId,
  query: atVersion,
  reply: z.null(),
});
