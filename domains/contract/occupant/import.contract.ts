import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { importCalls, importFamily } from "../../system/import/import.contract.ts";

const of = {
  base: "/contract/api/v3/occupant/import",
  title: "入住人",
  needs: "11.import",
  target: "occupantImport",
} as const;

/** People for the rooms of one company's contract, each from a day on. */
export const occupantImport = {
  ...importCalls(of),
  check: importFamily(of).check(
    z.object({ contractId: z.coerce.number({ error: "请选择合同" }).pipe(f.id) }),
  ),
};
