import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { dayInZone, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Failure } from "../../../platform/console/calls/failure.ts";
import { send, ask } from "../../../platform/console/calls/request.ts";
import { keyOf } from "../allocation/allocation.rules.ts";
import { previewFlow, receiveFlow, type CounterInput, type ReceiptPreview } from "./receive.contract.ts";
import { comesTo, wantsOf, type Choice, type Owed } from "./taking.rules.ts";

/** Who stands at the counter, where, and what of it is chosen. */
export type Standing = {
  /** 0 while nobody is chosen. */
  partyId: number;
  partyName: string;
  villageId: number;
  prepaid: Fen;
  bills: readonly Owed[];
  choice: Choice;
};

/** A value once it has rested for a moment: typing does not ask the server at every key. */
function useRested<T>(value: T, ms = 250): T {
  const [rested, setRested] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(text) as T), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return rested;
}

export const paidDay = (paidAt: string | undefined): Day => dayInZone(paidAt ? new Date(paidAt) : new Date());

/** The receipt as it stands in the form: its trial, and how to take it exactly as it was shown. */
export function useReceipt(standing: Standing, form: Partial<CounterInput> & { usePrepaid: boolean }) {
  const { partyId, villageId, bills, choice, prepaid } = standing;
  const client = useQueryClient();
  const refresh = useRefresh();
  const [key, setKey] = useState(freshKey);
  const wants = useMemo(() => wantsOf(bills, choice), [bills, choice]);
  const chosen = comesTo(bills, choice);
  const auto = form.usePrepaid ? Math.max(0, chosen - prepaid) : chosen;
  const amount = form.amount ?? auto;
  const whole = Number.isSafeInteger(amount) && wants.every((w) => w.amount !== 0 && !Number.isNaN(w.amount));
  const trial = {
    villageId,
    partyId,
    amount: Number.isSafeInteger(amount) ? amount : 0,
    wants,
    usePrepaid: form.usePrepaid,
    ...(form.channel &&
      form.merchantAccountId && { channel: form.channel, merchantAccountId: form.merchantAccountId }),
    ...(form.paidAt && { paidAt: form.paidAt }),
  };
  const rested = useRested(trial);
  const asked = ask(previewFlow, { body: rested });
  const worth = partyId > 0 && whole && (rested.amount > 0 || rested.wants.length > 0);
  const query = useQuery({
    ...asked,
    enabled: worth,
    placeholderData: (before) => before,
    retry: false,
  });
  const preview: ReceiptPreview | undefined = worth ? query.data : undefined;
  const resting = JSON.stringify(rested) === JSON.stringify(trial);
  const working = worth && (!resting || query.isPlaceholderData || query.isFetching);

  const take = async (body: Partial<CounterInput>) => {
    if (!preview) throw new Failure("notReady", "请先选择费用或填写金额", 400);
    const sent = { ...body, ...rested, previewHash: preview.hash, exact: preview.toPrepaid === 0 };
    if (!sent.payerName) sent.payerName = standing.partyName;
    try {
      const reply = await send(receiveFlow, { body: sent }, { idempotencyKey: key });
      setKey(freshKey());
      await refresh();
      return reply;
    } catch (error) {
      if (error instanceof Failure && error.code === "previewChanged")
        client.setQueryData(asked.queryKey, error.data as ReceiptPreview);
      // what is owed has changed under the form: the list shows it as it is now
      if (error instanceof Failure && ["previewChanged", "billVoid"].includes(error.code)) await refresh();
      throw error;
    }
  };

  const owedBefore = bills.reduce((sum, b) => sum + b.owed, 0);
  return {
    auto,
    amount: Number.isSafeInteger(amount) ? amount : 0,
    preview,
    pays: new Map((preview?.rows ?? []).map((row) => [keyOf(row), row.pay])),
    working,
    error: query.error,
    paidOn: paidDay(form.paidAt),
    owedBefore,
    owedAfter: owedBefore - (preview?.paid ?? 0),
    why: !partyId ? "请先选择客户" : !preview ? "请先选择费用或填写金额" : working ? "正在试算" : undefined,
    take,
  };
}
export type Receipt = ReturnType<typeof useReceipt>;
