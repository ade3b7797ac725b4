import { randomUUID } from "node:crypto";
import type { Call } from "../../../platform/kernel/call.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { listFlows } from "../flow/flow.contract.ts";
import { RECONCILE_STATE } from "../flow/flow.rules.ts";
import { listRuns } from "../statement/statement.contract.ts";

/** Sends a file about an account as the dialog does; `file` is what came back where that is a sheet. */
export async function sendStatement(
  house: TestHouse,
  call: Call,
  of: {
    as: Person;
    accountId: number;
    bytes: Buffer;
    name?: string;
    more?: Record<string, string>;
    key?: string;
  },
) {
  const form = new FormData();
  form.set("merchantAccountId", String(of.accountId));
  for (const [key, value] of Object.entries(of.more ?? {})) form.set(key, value);
  form.append("file", new Blob([new Uint8Array(of.bytes)]), of.name ?? "账单.csv");
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: call.path,
    headers: {
      "content-type": body.headers.get("content-type")!,
      authorization: of.as.token,
      "idempotency-key": of.key ?? randomUUID(),
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  if (!String(answer.headers["content-type"]).includes("json"))
    return {
      status: answer.statusCode,
      message: "",
      data: {} as Record<string, unknown>,
      file: answer.rawPayload,
    };
  const { message, data, fields } = answer.json() as {
    message: string;
    data: never;
    fields?: { field: string; msg: string }[];
  };
  return {
    status: answer.statusCode,
    message: fields?.[0]?.msg ?? message,
    data: data as Record<string, unknown>,
    file: undefined,
  };
}

/** Has the jobs work off a run, and answers how far it told to be meanwhile. */
export async function progressSeen(house: TestHouse, as: Person, id: number): Promise<number[]> {
  const seen = new Set<number>();
  const working = house.deliver();
  for (let state = "running"; state === "running";) {
    const [run] = await house.did(listRuns, { as }, { query: { mode: "reconcile", id } as never });
    state = run!.state;
    seen.add(run!.progress);
  }
  await working;
  return [...seen];
}

/** What the flow list says of an account's flows, oldest first; it must be what each of them is filtered by. */
export async function statesSaid(house: TestHouse, as: Person, accountId: number): Promise<string[]> {
  const flows = async (reconcile?: string) =>
    (await house.did(listFlows, { as }, { query: { accountIds: [accountId], reconcile } as never })).list
      .map((flow) => ({ id: flow.id, state: flow.reconcileState }))
      .toSorted((a, b) => a.id - b.id);
  const all = await flows();
  for (const state of Object.keys(RECONCILE_STATE)) {
    const filtered = await flows(state);
    const said = all.filter((flow) => flow.state === state);
    if (JSON.stringify(filtered) !== JSON.stringify(said))
      throw new Error(`${state}: ${JSON.stringify(filtered)} shown, ${JSON.stringify(said)} said`);
  }
  return all.map((flow) => flow.state);
}
