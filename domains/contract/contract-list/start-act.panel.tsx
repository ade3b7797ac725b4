import { useEffect, useRef } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { MOVE_IN, VOID } from "./acts.panel.tsx";

/** What another screen may ask to be started with the contract (?act=). */
const ASKED: Record<string, string> = { handover: MOVE_IN, void: VOID };

/** Starts the act that stands in the address once the contract is there; says why where it cannot be. */
export function StartAct({ actions }: { actions: readonly Action[] }) {
  const [address, set] = useAddress();
  const wanted = actions.find((a) => a.label === ASKED[address.get("act") ?? ""]);
  const start = useRef(wanted);
  start.current = wanted;
  const asked = address.get("act");
  const send = useAct();
  useEffect(() => {
    if (!asked) return;
    set({ act: undefined });
    const act = start.current;
    if (!act || !may(act.need)) return;
    if (act.why) toast(act.why, "warning");
    else void act.run(send);
  }, [asked, set, send]);
  return null;
}
