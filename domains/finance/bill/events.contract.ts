import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import * as f from "../../../platform/kernel/field.ts";

export const billVoided = event("bill.voided", z.object({ billIds: z.array(f.id) }));

/** Bills are owed again: money was taken away from them, or they were given up and are no more. */
export const billReopened = event("bill.reopened", z.object({ billIds: z.array(f.id) }));

/** The bills of the day are issued. */
export const billsIssued = event("bills.issued", z.object({}));
