import "./approval.service.ts";
import type { Call } from "../../../platform/kernel/call.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { admit } from "../contract/contract.queries.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import {
  handOver as handOverContract,
  undoHandover as undoHandoverOf,
  voidContract as voidIt,
} from "./end.service.ts";
import {
  handOver,
  signOfflineContract,
  submitContract,
  undoHandover,
  voidContract,
  withdrawContract,
} from "./signing.contract.ts";
import { type OfflineSigning, signOffline } from "./sign.service.ts";
import { submit, withdraw } from "./submit.service.ts";

/** Whoever signs, voids or hands over holds the codes of the contract's own kind. */
const admitted =
  <B, T>(call: Call, work: (act: Act, id: number, body: B) => Promise<T>) =>
  async (act: Act, { params, body }: { params: { id: number }; body: B }): Promise<T> => {
    await admit(act, params.id, call);
    return work(act, params.id, body);
  };

export default [
  serve(submitContract, admitted(submitContract, submit)),
  serve(
    withdrawContract,
    admitted(withdrawContract, (act, id, { reason }: { reason: string }) => withdraw(act, id, reason)),
  ),
  serve(
    signOfflineContract,
    admitted(
      signOfflineContract,
      (act, id, { signedOn, ...paper }: Omit<OfflineSigning, "id"> & { signedOn: Day }) =>
        signOffline(act, [{ id, ...paper }], signedOn),
    ),
  ),
  serve(voidContract, admitted(voidContract, voidIt)),
  serve(handOver, admitted(handOver, handOverContract)),
  serve(undoHandover, admitted(undoHandover, undoHandoverOf)),
];
