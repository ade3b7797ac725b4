import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveImport } from "../../system/import/serve.service.ts";
import { INDICATORS } from "../indicator/figure.rules.ts";
import { exportTargets, targetImport, targetSheet } from "./import.contract.ts";
import { figure } from "./import.rules.ts";
import { TARGETS, yearsOf } from "./import.service.ts";
import { yearValue } from "./target.rules.ts";

export default [
  serveRead(targetSheet, async (read, { query }) => {
    const { code, year, pageNo, pageSize, want, order } = query;
    const years = await yearsOf(read, query);
    if (order === "desc") years.reverse();
    const at = (pageNo - 1) * pageSize;
    return {
      total: want === "rows" ? null : years.length,
      list: (want === "totals" ? [] : years.slice(at, at + pageSize)).map(({ name, values }) => ({
        villageName: name,
        indicator: INDICATORS[code].title,
        year: String(year),
        unit: INDICATORS[code].kind === "rate" ? "%" : "元",
        ...Object.fromEntries(values.map((value, i) => [`m${i + 1}`, figure(code, value)])),
        whole: figure(code, yearValue(code, values)),
      })),
    };
  }),
  exportList(exportTargets),

  ...serveImport(targetImport, TARGETS),
];
