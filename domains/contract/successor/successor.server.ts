import { forbidden } from "../../../platform/kernel/refusal.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { askChange, askRenewal, askSwap } from "./ask.service.ts";
import { serveSuccessors } from "./steps.service.ts";
import { askSwapped, changes, renewals } from "./successor.contract.ts";

export default [
  serve(renewals.ask, (act, { body }) => askRenewal(act, body)),
  ...serveSuccessors(renewals as never, ["renew"], () => undefined),
  serve(changes.ask, (act, { body }) => askChange(act, body)),
  serve(askSwapped, (act, { body }) => askSwap(act, body)),
  ...serveSuccessors(changes as never, ["changeRoom", "changeTenant"], (act, kind) => {
    if (!act.who.permits.has(kind === "changeRoom" ? "#9601" : "#9602")) throw forbidden();
  }),
];
