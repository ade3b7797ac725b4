import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Call, Reply, Sent } from "../../kernel/call.ts";
import { confirm } from "../parts/dialog.tsx";
import { askReason } from "../form/reason.tsx";
import { sendWire } from "./request.ts";
import { toast } from "../parts/toast.ts";

/** A fresh Idempotency-Key: one for each thing that somebody means to do, kept until it is answered. crypto.randomUUID is absent on plain http, getRandomValues is not. */
export const freshKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

const LONGEST_MS = 2000;

/**
 * Makes every visible figure current again; pages in the background follow when they are shown. The promise
 * resolves after two seconds even where a figure takes longer.
 */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    () =>
      Promise.race([
        client.invalidateQueries(),
        new Promise<void>((resolve) => void setTimeout(resolve, LONGEST_MS)),
      ]),
    [client],
  );
}

/** What is sent; the reason may be left out where it is asked for. */
export type Sending<C> =
  Sent<C> extends { body: { reason: string } & (infer B) }
    ? Omit<Sent<C>, "body"> & {
        body?: Partial<Pick<B & { reason: string }, "reason" & keyof B>> & Omit<B, "reason">;
      }
    : Sent<C>;

export type How = {
  /** Toast when it is done, such as "已作废". */
  done?: string;
  /** Asks first. The key of a money call is made here, so that trying again cannot move money twice. */
  ask?: { title: string; body?: React.ReactNode; ok?: string };
  /** Asks for a reason first and sends it as `reason` in the body. */
  reason?: { title: string; text?: string; ok?: string };
};

/** Sends a call that changes something, says so, and refreshes what is seen. Answers undefined when the person said no. */
export function useAct() {
  const refresh = useRefresh();
  return useCallback(
    async <C extends Call>(call: C, sent: Sending<C>, how: How = {}): Promise<Reply<C> | undefined> => {
      const idempotencyKey = call.money ? freshKey() : undefined;
      let reply: Reply<C> | undefined;
      const work = async (more?: { reason: string }) => {
        const parts = sent as { body?: object };
        const full = more ? { ...parts, body: { ...parts.body, ...more } } : parts;
        reply = await sendWire<Reply<C>>(call, full, { idempotencyKey });
        if (how.done) toast(how.done);
        // the button need not wait for every figure on the page
        void refresh();
      };
      if (how.reason) await askReason(how.reason, (reason) => work({ reason }));
      else if (how.ask) await confirm({ ...how.ask, run: () => work() });
      else await work();
      return reply;
    },
    [refresh],
  );
}

export type Act = ReturnType<typeof useAct>;
