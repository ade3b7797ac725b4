import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, download, send, upload } from "../../../platform/console/calls/request.ts";
import { Taking } from "../../../platform/console/files/checking.tsx";
import { Drop } from "../../../platform/console/files/drop.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { OptionSelect, RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Call } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { ACCOUNTS } from "../account/account.contract.ts";
import { FORMAT, type Format } from "../statement/format.rules.ts";
import {
  importStatement,
  listRuns,
  previewStatement,
  statementFaults,
  type StatementPreview,
} from "../statement/statement.contract.ts";
import { listTemplates } from "../statement/template.contract.ts";
import type { Template } from "../statement/template.rules.ts";
import { saidOfLines } from "./reconcile.rules.ts";
import { TemplateForm } from "./template.panel.tsx";
import { type Brought, GAP_NOTE, Outcome, type Period, Told, ToldInShort, wrongIn } from "./told.panel.tsx";

/** An import of statements: its calls, of which accounts, and what it says when it is done. */
export type Importing = {
  title: string;
  mode: "claim" | "reconcile";
  accounts: Source;
  preview: Call;
  take: Call;
  hint: string;
  done: (reply: never) => string;
};
type Props = { of: Importing; accountId?: number | undefined; onClose: () => void };

export const STATEMENTS: Importing = {
  title: "导入对账单",
  mode: "reconcile",
  accounts: ACCOUNTS,
  preview: previewStatement,
  take: importStatement,
  hint: "点击或拖入对账单：微信、支付宝下载的账单或银行流水（csv、xlsx、zip、gz），最多 20 个",
  done: saidOfLines,
};
const ACCEPT = ".csv,.txt,.xlsx,.zip,.gz";
const MOST_FILES = 20;
/** Read by the names that banks use. */
const BY_ITSELF = 0;
/** How often a job is asked how far it is. */
const EVERY_MS = 1500;
const { bank: _, ...OF_CHANNELS } = FORMAT;

/** Reads files of a channel or a bank, shows what each says, and takes each whole or not at all. */
export function ImportDialog({ of, accountId, onClose }: Props) {
  const refresh = useRefresh();
  const [account, setAccount] = useState(accountId);
  const [files, setFiles] = useState<readonly Brought[]>([]);
  const [at, setAt] = useState(0);
  const [note, setNote] = useState("");
  const [period, setPeriod] = useState<Period>({});
  const [left, setLeft] = useState(0);
  const [chosen, setChosen] = useState<number>();
  const [format, setFormat] = useState<Format>();
  const [mapping, setMapping] = useState(false);
  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => void (closed.current = true);
  }, []);
  const { data: known } = useQuery({
    ...ask(listTemplates, { query: { merchantAccountId: account ?? 0 } }),
    enabled: account !== undefined,
  });
  const templateId = chosen ?? known?.usedId ?? BY_ITSELF;
  const template = known?.list.find((row) => row.id === templateId);
  const one = files[at];
  const busy = files.find((file) => file.busy);
  type How = { by?: number; draft?: Template | undefined; as?: Format | undefined };
  const fieldsOf = ({ by = templateId, draft, ...how }: How): Record<string, string> => {
    const as = "as" in how ? how.as : format;
    return {
      merchantAccountId: String(account ?? ""),
      ...(as && { format: as }),
      ...(draft ? { draft: JSON.stringify(draft) } : by ? { templateId: String(by) } : {}),
    };
  };
  const put = (i: number, patch: Partial<Brought>) =>
    setFiles((all) => all.map((file, n) => (n === i ? { ...file, ...patch } : file)));

  const read = async (i: number, file: File, how: How = {}) => {
    const { draft } = how;
    put(i, { key: freshKey(), busy: true, told: undefined, failed: undefined, draft });
    try {
      if (file.size > previewStatement.upload!.maxBytes) return put(i, { failed: "文件大小不能超过30M" });
      const sent = { files: [file], fields: fieldsOf(how) };
      const told = (await upload(of.preview, sent)) as StatementPreview;
      put(i, { told, head: told.head });
    } catch (error) {
      put(i, { failed: sentence(error) });
    } finally {
      put(i, { busy: false });
    }
  };
  /** All that was not taken yet, one after the other. */
  const readAll = async (list: readonly Pick<Brought, "file" | "done">[], how: How = {}) => {
    for (const [i, { file, done }] of list.entries()) if (!done && !closed.current) await read(i, file, how);
  };
  const bring = (list: readonly File[]) => {
    const some = list.slice(0, MOST_FILES).map((file) => ({ file, key: freshKey(), head: [] }));
    setLeft(list.length - some.length);
    setFiles(some);
    setPeriod({});
    setAt(0);
    setMapping(false);
    void readAll(some);
  };
  const choose = (by: number) => {
    setChosen(by);
    setMapping(false);
    void readAll(files, { by });
  };

  /** Why a file is not taken, or nothing. */
  const whyNot = ({ told, failed, draft, done }: Brought): string | undefined =>
    done ??
    failed ??
    (told
      ? wrongIn(told) ||
        (draft ? "请先保存银行模板" : told.warnings.length && note.trim().length < 2 ? GAP_NOTE : undefined)
      : "请选择对账单文件");
  const why = !account
    ? "请选择账户"
    : !files.length
      ? "请选择对账单文件"
      : busy
        ? busy.told
          ? "正在导入"
          : "正在读取"
        : files.every(whyNot)
          ? files.length > 1
            ? "没有可导入的文件"
            : whyNot(files[0]!)
          : undefined;

  /** Waits for the job that a long file is left to; nothing once nobody looks any more. */
  const ended = async (id: number, i: number): Promise<Pick<Brought, "done" | "failed">> => {
    while (!closed.current) {
      const [run] = await send(listRuns, { query: { mode: of.mode, id } });
      if (run?.state === "done") return { done: run.told };
      if (run?.state === "failed") return { failed: run.told };
      put(i, { percent: run?.progress ?? 0 });
      await new Promise((resolve) => void setTimeout(resolve, EVERY_MS));
    }
    return {};
  };
  const take = async () => {
    let last: Pick<Brought, "done" | "failed"> = {};
    for (const [i, brought] of files.entries()) {
      if (whyNot(brought)) continue;
      put(i, { busy: true });
      try {
        const { from, to } = period;
        const days = { ...(from && { dateFrom: from }), ...(to && { dateTo: to }) };
        const sent = { files: [brought.file], fields: { ...fieldsOf({}), note, ...days } };
        const reply = (await upload(of.take, sent, { idempotencyKey: brought.key })) as {
          runId: number | null;
        };
        last = reply.runId ? await ended(reply.runId, i) : { done: of.done(reply as never) };
      } catch (error) {
        last = { failed: sentence(error) };
      }
      if (closed.current) return;
      put(i, { ...last, busy: false, percent: undefined });
    }
    if (files.length === 1 && last.done) {
      toast(last.done);
      onClose();
    }
    await refresh();
  };
  const faults = async ({ file, draft }: Brought) => {
    const body = new FormData();
    for (const [field, value] of Object.entries(fieldsOf({ draft }))) body.set(field, value);
    body.append("file", file);
    await download(statementFaults, { body } as never);
  };
  const many = files.length > 1;
  return (
    <Drawer
      title={of.title}
      width={960}
      modal
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          word={files.some((file) => file.done) ? "关闭" : undefined}
          note={
            <span className="dim">
              {many ? "每个文件单独导入，有一处错误的文件一行也不导入" : "有一处错误就一行也不导入"}
            </span>
          }
        >
          <Button look="main" why={why} run={take}>
            导入
          </Button>
        </Foot>
      }
    >
      <div className="stack gap-6">
        <RecordSelect
          label="账户"
          source={of.accounts}
          value={account}
          onChange={(next) => {
            setAccount(next);
            setFiles([]);
            setLeft(0);
            setChosen(undefined);
            setFormat(undefined);
            setMapping(false);
          }}
          placeholder="选择收款账户"
        />
        {known?.applies && (
          <div className="stack gap-2">
            <div className="row between">
              <span className="sub">银行模板</span>
              <Button
                size="sm"
                why={one?.head.length ? undefined : "请先选择对账单文件"}
                run={() => setMapping(true)}
              >
                设置列对应
              </Button>
            </div>
            <OptionSelect
              disabled={busy !== undefined}
              value={templateId}
              options={[
                { value: BY_ITSELF, label: "自动识别" },
                ...known.list.map((row) => ({
                  value: row.id,
                  label: `${row.name}（第 ${row.no} 版，${row.creator}）`,
                })),
              ]}
              onChange={(next) => choose(next ?? BY_ITSELF)}
            />
          </div>
        )}
        {known?.applies === false && (
          <label className="stack gap-2" htmlFor="statement-format">
            <span className="sub">格式</span>
            <ChoiceInput
              id="statement-format"
              disabled={busy !== undefined}
              words={OF_CHANNELS}
              clear
              placeholder="自动识别"
              value={format}
              onChange={(next) => {
                const as = next as Format | undefined;
                setFormat(as);
                void readAll(files, { as });
              }}
            />
          </label>
        )}
        <Drop
          accept={ACCEPT}
          multiple
          off={!account || busy !== undefined}
          busy={busy !== undefined && !busy.told}
          onFiles={(list) => list.length > 0 && bring(list)}
        >
          {!account
            ? "先选择账户"
            : busy && !busy.told
              ? `正在读取 ${busy.file.name} …`
              : many
                ? `已选择 ${files.length} 个文件`
                : (one?.file.name ?? of.hint)}
        </Drop>
        {left > 0 && (
          <p className="bad" role="alert">
            一次最多 {MOST_FILES} 个文件，其余 {left} 个没有读取
          </p>
        )}
        {many && (
          <div className="scroll-x">
            <table className="tbl tbl--flat" aria-label="文件">
              <Heads of={["文件", "日期", "笔数", ["收入", "num"], ["支出", "num"], "结果"]} />
              <tbody>
                {files.map((file, i) => (
                  <tr key={i} className={i === at ? "open" : ""}>
                    <td className="cut">
                      <button
                        type="button"
                        className="linkish"
                        aria-pressed={i === at}
                        onClick={() => {
                          setAt(i);
                          setMapping(false);
                        }}
                      >
                        {file.file.name}
                      </button>
                    </td>
                    <ToldInShort of={file} />
                    <td>
                      <Outcome of={file} why={whyNot(file)} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {!many && one?.failed && (
          <p className="bad" role="alert">
            {one.failed}
          </p>
        )}
        {!many && one?.percent !== undefined && (
          <Taking percent={one.percent} later="稍后在导入批次查看结果" />
        )}
        {mapping && one && one.head.length > 0 && (
          <TemplateForm
            key={`${at} ${template?.id ?? 0}`}
            accountId={account!}
            head={one.head}
            base={template}
            reads={(draft) =>
              one.told !== undefined &&
              !wrongIn(one.told) &&
              JSON.stringify(one.draft) === JSON.stringify(draft)
            }
            tryOut={(draft) => read(at, one.file, { draft })}
            onKept={(id) => choose(id ?? BY_ITSELF)}
            onClose={() => setMapping(false)}
          />
        )}
        {one?.told && !one.done && (
          <Told
            told={one.told}
            wrong={wrongIn(one.told)}
            note={note}
            setNote={setNote}
            period={many ? undefined : { value: period, set: setPeriod }}
            faults={() => faults(one)}
          />
        )}
      </div>
    </Drawer>
  );
}
