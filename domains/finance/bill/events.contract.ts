import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import * as f from "../../../platform/kernel/field.ts";

export const billVoided = event("bill.voided", z.object({ billIds: z.array(f.id) }));

/** The bills of the day are issued. */
export const billsIssued = event("bills.issued", z.object({}));
