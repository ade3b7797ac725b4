import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import { download } from "../../../platform/console/calls/request.ts";
import { areaCodes, MOST_CODES, roomCodes } from "./qrcode.contract.ts";

const CALLS = { room: roomCodes, area: areaCodes } as const;

/** Saves the sheet of these codes, to be printed and cut apart. */
export const printCodes = (what: keyof typeof CALLS, ids: readonly number[]) =>
  download(CALLS[what], { body: { ids: [...ids], origin: location.origin } });

/** 二维码 of one row. */
export const codeAct = (what: keyof typeof CALLS, id: number) =>
  ({ label: "二维码", need: "6.query", run: () => printCodes(what, [id]) }) as const;

/** 二维码 of the picked rows. */
export const codesOf = (what: keyof typeof CALLS): Batch<{ id: number }> => ({
  label: "二维码",
  need: "6.query",
  why: (rows) => (rows.length > MOST_CODES ? `一次最多打印${MOST_CODES}个二维码` : undefined),
  run: (rows) =>
    printCodes(
      what,
      rows.map((row) => row.id),
    ),
});
