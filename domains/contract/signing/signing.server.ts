import { serve } from "../../../platform/server/serve.ts";
import { handOver as handOverContract, voidContract as voidIt } from "./end.service.ts";
import {
  handOver,
  signOfflineContract,
  submitContract,
  voidContract,
  withdrawContract,
} from "./signing.contract.ts";
import { signOffline } from "./sign.service.ts";
import { submit, withdraw } from "./submit.service.ts";

export default [
  serve(submitContract, (act, { params, body }) => submit(act, params.id, body)),
  serve(withdrawContract, (act, { params, body }) => withdraw(act, params.id, body.reason)),
  serve(signOfflineContract, (act, { params, body }) => signOffline(act, params.id, body)),
  serve(voidContract, (act, { params, body }) => voidIt(act, params.id, body)),
  serve(handOver, (act, { params, body }) => handOverContract(act, params.id, body)),
];
