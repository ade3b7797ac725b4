import { useState, type ReactNode } from "react";
import type { Call, Reply } from "../kernel/call.ts";
import { freshKey, useRefresh } from "./act.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { sentence } from "./failure.ts";
import { Icon } from "./icons.tsx";
import { download, sendWire, upload } from "./request.ts";
import { toast } from "./toast.ts";

/** What a dry run answers. Without errors `token` names the file for the commit. */
export type Checked = {
  rows: number;
  errors: { row: number; column: string; msg: string }[];
  token?: string | undefined;
  /** Totals to compare with the spreadsheet. */
  totals?: { title: string; text: string }[] | undefined;
  /** Saves the file with its wrong cells marked. */
  marked?: (() => Promise<unknown>) | undefined;
};

type Props = {
  title: string;
  /** Answers the empty spreadsheet. */
  template: Call;
  /** What the template is to be filled for, such as a year. */
  templateQuery?: Record<string, string>;
  /** Takes the file, changes nothing, answers `Checked`; a function where the call answers in its own words. */
  check: Call | ((file: File) => Promise<Checked>);
  /** Takes `{ token }` and imports all rows or none. */
  commit: Call | ((checked: Checked) => Promise<unknown>);
  /** What must be chosen before a file: inputs of one's own, and the sentence while they are empty. */
  children?: ReactNode;
  notYet?: string | undefined;
  /** Extra form fields of the check, such as the village. */
  fields?: Record<string, string>;
  hint?: string;
  onClose: () => void;
  onDone?: (reply: unknown) => void;
};

/** Template, file, every wrong row by row and column, then all or nothing. */
export function ImportDialog(p: Props) {
  const refresh = useRefresh();
  const [file, setFile] = useState<File>();
  const [checked, setChecked] = useState<Checked>();
  const [failed, setFailed] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [key] = useState(freshKey);
  const check = async (picked: File) => {
    setFile(picked);
    setChecked(undefined);
    setFailed(undefined);
    setBusy(true);
    try {
      setChecked(
        typeof p.check === "function"
          ? await p.check(picked)
          : ((await upload(p.check, { files: [picked], ...(p.fields && { fields: p.fields }) })) as Checked),
      );
    } catch (error) {
      setFailed(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  const commit = async () => {
    const reply =
      typeof p.commit === "function"
        ? await p.commit(checked!)
        : await sendWire<Reply<Call>>(
            p.commit,
            { body: { token: checked?.token } },
            { idempotencyKey: p.commit.money ? key : undefined },
          );
    toast(`已导入 ${checked?.rows ?? 0} 行`);
    p.onDone?.(reply);
    p.onClose();
    await refresh();
  };
  const wrong = checked?.errors.length ?? 0;
  const why = p.notYet
    ? p.notYet
    : busy
      ? "正在检查文件"
      : !checked
        ? "请先选择文件"
        : wrong
          ? "请先改正文件中的错误"
          : checked.rows === 0
            ? "文件中没有数据"
            : undefined;
  const footer = (
    <>
      <Button run={p.onClose}>取消</Button>
      <Button look="main" why={why} run={commit}>
        确认导入{checked && !wrong && checked.rows > 0 ? ` ${checked.rows} 行` : ""}
      </Button>
    </>
  );
  return (
    <Dialog title={p.title} width={640} footer={footer} onClose={p.onClose}>
      <div className="importing">
        <p className="row">
          <Button
            icon="download"
            size="sm"
            run={() =>
              download(
                p.template as Call<undefined, undefined, undefined>,
                { query: p.templateQuery ?? {} } as never,
              )
            }
          >
            下载模板
          </Button>
          <span className="dim">
            {p.hint ?? "按模板填写 .xlsx，最多 5,000 行、10M；有错误时不导入任何一行"}
          </span>
        </p>
        {p.children}
        <label className={`drop ${p.notYet ? "drop--off" : ""}`}>
          {p.notYet ? p.notYet : busy ? "正在检查…" : file ? file.name : "点击选择 .xlsx 文件"}
          <input
            className="sr"
            type="file"
            accept=".xlsx"
            disabled={busy || Boolean(p.notYet)}
            onChange={(event) => {
              const picked = event.target.files?.[0];
              event.target.value = "";
              if (picked) void check(picked);
            }}
          />
        </label>
        {failed && (
          <div className="form__alert" role="alert">
            <Icon name="warn" />
            {failed}
          </div>
        )}
        {checked && wrong === 0 && (
          <p className="explain__same">
            <Icon name="check" size={14} />共 {checked.rows} 行，没有发现错误
            {checked.totals?.map((t) => `，${t.title} ${t.text}`)}
          </p>
        )}
        {checked && wrong > 0 && <Errors checked={checked} />}
      </div>
    </Dialog>
  );
}

const SHOWN = 200;

const Errors = ({ checked }: { checked: Checked }) => (
  <>
    <p className="form__note">
      共 {checked.rows} 行，{checked.errors.length} 处错误{" "}
      {checked.marked && (
        <Button size="sm" icon="download" run={checked.marked}>
          下载错误文件
        </Button>
      )}
    </p>
    <div className="box importing__errors">
      <table className="tbl">
        <thead>
          <tr>
            <th className="num">行</th>
            <th>列</th>
            <th>错误</th>
          </tr>
        </thead>
        <tbody>
          {checked.errors.slice(0, SHOWN).map((e, i) => (
            <tr key={i}>
              <td className="num">{e.row}</td>
              <td>{e.column}</td>
              <td className="bad">{e.msg}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {checked.errors.length > SHOWN && <p className="dim">只列出前 {SHOWN} 处</p>}
  </>
);
