import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { addModule } from "./module.contract.ts";
import type { ProcessInput } from "./process.contract.ts";

/** A node that asks these people. */
export const asking = (
  name: string,
  people: readonly Person[],
  more: Partial<ProcessInput["nodes"][number]> = {},
): ProcessInput["nodes"][number] => ({
  name,
  by: "operators",
  operatorIds: people.map((p) => p.operatorId),
  roleId: null,
  mode: "any",
  remindHours: 0,
  ...more,
});

/** The default process: without nodes nothing needs approval. */
export const otherwise = (...nodes: ProcessInput["nodes"]): ProcessInput => ({
  name: "默认流程",
  conditions: [],
  nodes,
});
/** From so many fen on. */
export const from = (fen: number, ...nodes: ProcessInput["nodes"]): ProcessInput => ({
  name: `${fen / 100} 元以上`,
  conditions: [{ field: "amount", op: "gte", value: fen }],
  nodes,
});

export const aModule = (
  house: TestHouse,
  as: Person,
  more: {
    moduleType?: string;
    name?: string;
    villageIds: number[];
    fallback: Person;
    processes: ProcessInput[];
  },
): Promise<{ id: number; version: number }> =>
  house.did(
    addModule,
    { as },
    {
      body: {
        moduleType: more.moduleType ?? "billVoid",
        name: more.name ?? "账单作废审批",
        villageIds: more.villageIds,
        fallbackOperatorId: more.fallback.operatorId,
        processes: more.processes,
      },
    },
  );
