import { z } from "zod";
import * as f from "../field.ts";

/** What is wrong in a file that somebody uploaded, cell by cell; `column` holds its letters, or nothing for a whole row. */
export const wrongCells = z.array(
  z.object({
    row: f.number("行"),
    column: f.text("列"),
    header: f.text("列名"),
    value: f.text("内容"),
    msg: f.text("错误"),
  }),
);
export type WrongCell = z.output<typeof wrongCells>[number];

/** Most wrong cells of one file that are kept and shown; all are counted. */
export const MOST_WRONG = 2000;
