import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Call, Reply, Sent } from "../kernel/call.ts";
import { confirm } from "./dialog.tsx";
import { sendWire } from "./request.ts";
import { toast } from "./toast.ts";

/** A fresh Idempotency-Key. crypto.randomUUID is absent on plain http, getRandomValues is not. */
export const freshKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

/** Makes every visible figure current again; pages in the background follow when they are shown. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries(), [client]);
}

type How = {
  /** Toast when it is done, such as "已作废". */
  done?: string;
  /** Asks first. The key of a money call is made here, so that trying again cannot move money twice. */
  ask?: { title: string; body?: React.ReactNode; ok?: string };
};

/** Sends a call that changes something, says so, and refreshes what is seen. Answers undefined when the person said no. */
export function useAct() {
  const refresh = useRefresh();
  return useCallback(
    async <C extends Call>(call: C, sent: Sent<C>, how: How = {}): Promise<Reply<C> | undefined> => {
      const idempotencyKey = call.money ? freshKey() : undefined;
      let reply: Reply<C> | undefined;
      const work = async () => {
        reply = await sendWire<Reply<C>>(call, sent as object, { idempotencyKey });
        if (how.done) toast(how.done);
        await refresh();
      };
      if (how.ask) await confirm({ ...how.ask, run: work });
      else await work();
      return reply;
    },
    [refresh],
  );
}
