import { Failure } from "../calls/failure.ts";
import { permitsOf } from "./permits.ts";
import { sendWire } from "../calls/request.ts";
import type { Operator } from "./session.ts";
import { keep } from "./storage.ts";

let early: Promise<Operator> | undefined;

const fetchMe = () => sendWire<Operator>({ method: "GET", path: "/user/info" });

/** Asks who is signed in while the shell's code is still on its way. */
export function askMeEarly(): void {
  early ??= fetchMe();
  // those that await it see the failure
  early.catch(() => undefined);
}

/** The operator as the server knows him now; the early answer serves the first who asks. */
export async function askMe(): Promise<Operator> {
  const asked = early ?? fetchMe();
  early = undefined;
  const operator = await asked;
  try {
    permitsOf(operator);
  } catch (cause) {
    throw new Failure("roles", (cause as Error).message, 200);
  }
  keep("userInfo", operator);
  keep("authorityList", operator.authorities);
  return operator;
}
