import { useState, type ReactNode } from "react";
import type { Call } from "../../kernel/call.ts";
import type { WrongCell } from "../../kernel/fields/wrong-cells.ts";
import { sentence } from "../calls/failure.ts";
import { upload } from "../calls/request.ts";
import { Drop } from "./drop.tsx";

/** Sends a spreadsheet to be checked; `then` gets the id of its batch, and its failure is told like one of the check. */
export function useChecking(call: Call) {
  const [name, setName] = useState<string>();
  const [failed, setFailed] = useState<string>();
  const most = call.upload!.maxBytes;
  const check = async (
    file: File,
    fields: Record<string, string> | undefined,
    then: (id: number) => unknown,
  ) => {
    setFailed(undefined);
    if (!/\.xlsx$/i.test(file.name)) return setFailed("请上传xlsx文件");
    if (file.size > most) return setFailed(`文件大小不能超过${most / 1024 / 1024}M`);
    setName(file.name);
    try {
      const { id } = (await upload(call, { files: [file], ...(fields && { fields }) })) as { id: number };
      await then(id);
    } catch (error) {
      setFailed(sentence(error));
    } finally {
      setName(undefined);
    }
  };
  return { name, failed, setFailed, check };
}

type SheetDropProps = {
  /** What it is asked for, or what it holds. */
  text: string;
  /** Why no file can be chosen yet. */
  off?: string | undefined;
  /** Said while a file is being checked. */
  busy: string | undefined;
  className?: string;
  onFile: (file: File) => unknown;
};
export const SheetDrop = ({ text, off, busy, className = "", onFile }: SheetDropProps) => (
  <Drop
    accept=".xlsx"
    off={Boolean(off) || busy !== undefined}
    busy={busy !== undefined}
    className={`${off ? "drop--off" : ""} ${className}`}
    onFiles={([file]) => file && onFile(file)}
  >
    {off ?? busy ?? text}
  </Drop>
);

/** How far a job is that takes a long file, and where to look for it later. */
export const Taking = ({ percent, later }: { percent: number; later: string }) => (
  <div
    className="taking"
    role="progressbar"
    aria-label="导入进度"
    aria-valuenow={percent}
    aria-valuemin={0}
    aria-valuemax={100}
  >
    <i style={{ width: `${percent}%` }} />
    <span>
      正在导入 {percent}%，可以离开本页，{later}
    </span>
  </div>
);

type WrongColumn = { title: string; className?: string; show: (of: WrongCell) => ReactNode };
const WRONG = {
  row: { title: "行", className: "num", show: (e) => e.row },
  column: { title: "列", show: (e) => e.column },
  header: { title: "列名", show: (e) => e.header },
  place: { title: "列", show: (e) => `${e.column} ${e.header}`.trim() },
  value: { title: "内容", className: "wrong__value", show: (e) => e.value },
  msg: { title: "错误", className: "wrong__msg", show: (e) => e.msg },
  told: {
    title: "错误",
    className: "bad",
    show: (e) => (e.value ? `${e.msg}（${e.value}）` : e.msg),
  },
} satisfies Record<string, WrongColumn>;

type WrongCellsProps = {
  errors: readonly WrongCell[];
  columns: readonly (keyof typeof WRONG)[];
  /** So many are listed; all of them stand in the marked file. */
  most: number;
  className?: string;
};
/** What is wrong in a file, by row and column. */
export const WrongCells = ({ errors, columns, most, className = "" }: WrongCellsProps) => {
  const shown: WrongColumn[] = columns.map((key) => WRONG[key]);
  return (
    <div className={`box ${className}`}>
      <table className="tbl">
        <thead>
          <tr>
            {shown.map(({ title, className: look }, i) => (
              <th key={i} className={look === "num" ? look : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {errors.slice(0, most).map((error, i) => (
            <tr key={i}>
              {shown.map(({ className: look, show }, at) => (
                <td key={at} className={look}>
                  {show(error)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
