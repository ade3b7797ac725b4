import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { keyOf } from "../allocation/allocation.rules.ts";
import { flowId } from "./flow.contract.ts";
import { FLOW_DIRECTION, NUMBERED } from "./flow.rules.ts";
import { paidAt, payment, receiptPreview } from "./receive.contract.ts";

const done = z.object({ id: f.id, state: z.string() });

/**
 * A movement that was missed: booked for a past moment and confirmed by somebody else. Money in belongs to a customer;
 * money out pays a cost that is booked.
 */
export const addFlow = call({
  method: "POST",
  path: "/billing/api/v3/flow",
  summary: "补录流水",
  needs: "102.add",
  money: true,
  target: "flow",
  body: z
    .object({
      villageId: f.pick("门店"),
      direction: f.choice("方向", FLOW_DIRECTION).default("in"),
      partyId: f.pick("客户").optional(),
      billId: f.pick("应付账单").optional(),
      roomId: f.pick("房间").nullable().optional(),
      amount: f.amount("金额"),
      ...payment,
      paidAt,
      fileIds: z.array(f.id).min(1, "请上传附件").max(9, "附件最多9个").meta({ title: "附件", kind: "file" }),
    })
    .superRefine((flow, ctx) => {
      const missing = (path: string, message: string) =>
        ctx.addIssue({ code: "custom", path: [path], message, input: flow });
      if (flow.direction === "in" && !flow.partyId) missing("partyId", "请选择客户");
      if (flow.direction === "out" && !flow.billId) missing("billId", "请选择应付账单");
      if (NUMBERED.includes(flow.channel) && !flow.channelTradeNo)
        missing("channelTradeNo", "请输入渠道流水号");
    }),
  reply: z.object({ id: f.id, flowNo: z.string() }),
});

export const previewConfirm = call({
  method: "GET",
  path: "/billing/api/v3/flow/:id/confirm",
  summary: "试算待确认流水",
  needs: "#10201",
  params: flowId,
  reply: receiptPreview,
});

export const confirmFlow = call({
  method: "PUT",
  path: "/billing/api/v3/flow/:id/confirm",
  summary: "确认流水到账",
  needs: "#10201",
  money: true,
  target: "flow",
  params: flowId,
  body: z.object({ previewHash: f.token().optional() }),
  reply: done,
});

export const confirmBatch = call({
  method: "PUT",
  path: "/billing/api/v3/flow/confirmBatch",
  summary: "批量确认流水到账",
  needs: "#10201",
  money: true,
  target: "flow",
  body: z.object({ ids: f.ids().min(1, "请选择流水").max(200, "一次最多处理200笔") }),
  reply: z.object({ count: z.number().int() }),
});

export const rejectFlow = call({
  method: "PUT",
  path: "/billing/api/v3/flow/:id/reject",
  summary: "驳回流水",
  needs: "#10201",
  target: "flow",
  params: flowId,
  body: z.object({ reason: f.reason() }),
  reply: done,
});

export const allocateFlow = call({
  method: "POST",
  path: "/billing/api/v3/flow/:id/allocate",
  summary: "分配流水",
  needs: "#10203",
  money: true,
  target: "flow",
  params: flowId,
  body: z.object({
    wants: z
      .array(z.object({ billId: f.id, lineId: f.id.nullable(), amount: f.amount("本次") }))
      .min(1, "请填写本次分配金额")
      .max(500, "一次最多选择500项费用")
      .refine(f.distinct(keyOf), "同一费用不能重复填写"),
  }),
  reply: done,
});

export const undoAllocation = call({
  method: "DELETE",
  path: "/billing/api/v3/flow/:id/allocation/:allocationId",
  summary: "撤销分配",
  needs: "#10203",
  money: true,
  target: "flow",
  params: flowId.extend({ allocationId: z.coerce.number().pipe(f.id) }),
  reply: done,
});

export const reverseFlow = call({
  method: "POST",
  path: "/billing/api/v3/flow/:id/reverse",
  summary: "冲销流水",
  needs: "#10202",
  money: true,
  target: "flow",
  params: flowId,
  body: z.object({ reason: f.reason(), version: f.version }),
  reply: done,
});
