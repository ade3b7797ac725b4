import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, download, upload } from "../../../platform/console/calls/request.ts";
import { Facts } from "../../../platform/console/detail/facts.tsx";
import { Drop } from "../../../platform/console/files/drop.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { OptionSelect, RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Call } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { ACCOUNTS } from "../account/account.contract.ts";
import {
  importStatement,
  previewStatement,
  statementFaults,
  type StatementPreview,
} from "../statement/statement.contract.ts";
import { listTemplates } from "../statement/template.contract.ts";
import type { Template } from "../statement/template.rules.ts";
import { saidOfLines } from "./reconcile.rules.ts";
import { Running } from "./runs.panel.tsx";
import { TemplateForm } from "./template.panel.tsx";

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
  hint: "点击或拖入对账单：微信、支付宝下载的账单或银行流水（csv、xlsx、zip、gz）",
  done: saidOfLines,
};
const ACCEPT = ".csv,.txt,.xlsx,.zip,.gz";
const SHOWN_FAULTS = 50;
/** Read by the names that banks use. */
const BY_ITSELF = 0;

/** What a file is, read in one way: by a template, by a draft of one, or by itself. */
type Look = { told: StatementPreview; draft?: Template | undefined };

/** Reads a file of a channel or a bank, shows what it says, and takes it whole or not at all. */
export function ImportDialog({ of, accountId, onClose }: Props) {
  const refresh = useRefresh();
  const [account, setAccount] = useState(accountId);
  const [file, setFile] = useState<File>();
  const [look, setLook] = useState<Look>();
  /** The first lines of the file, also while it is read anew. */
  const [head, setHead] = useState<StatementPreview["head"]>([]);
  const [note, setNote] = useState("");
  const [failed, setFailed] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [key, setKey] = useState(freshKey);
  const [chosen, setChosen] = useState<number>();
  const [mapping, setMapping] = useState(false);
  const [runId, setRunId] = useState<number>();
  const { data: known } = useQuery({
    ...ask(listTemplates, { query: { merchantAccountId: account ?? 0 } }),
    enabled: account !== undefined,
  });
  const templateId = chosen ?? known?.usedId ?? BY_ITSELF;
  const template = known?.list.find((row) => row.id === templateId);
  const fieldsOf = (by: number, draft?: Template): Record<string, string> => ({
    merchantAccountId: String(account ?? ""),
    ...(draft ? { draft: JSON.stringify(draft) } : by ? { templateId: String(by) } : {}),
  });

  const read = async (from: File, by = templateId, draft?: Template) => {
    setFailed(undefined);
    setLook(undefined);
    setFile(from);
    setKey(freshKey());
    if (from.size > previewStatement.upload!.maxBytes) return setFailed("文件大小不能超过30M");
    setBusy(true);
    try {
      const told = (await upload(of.preview, {
        files: [from],
        fields: fieldsOf(by, draft),
      })) as StatementPreview;
      setLook({ told, draft });
      setHead(told.head);
    } catch (error) {
      setFailed(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  const choose = (by: number) => {
    setChosen(by);
    setMapping(false);
    if (file) void read(file, by);
  };
  const told = look?.told;
  const wrong =
    told && (told.refusal || (told.faultCount ? `文件有 ${told.faultCount} 处错误，没有导入任何流水` : ""));
  const why = !account
    ? "请选择账户"
    : !told
      ? "请选择对账单文件"
      : wrong ||
        (look?.draft
          ? "请先保存银行模板"
          : told.warnings.length && note.trim().length < 2
            ? "余额不连续，仍要导入请填写说明"
            : undefined);
  const take = async () => {
    const sent = { files: [file!], fields: { ...fieldsOf(templateId), note } };
    const reply = (await upload(of.take, sent, { idempotencyKey: key })) as { runId: number | null };
    if (reply.runId) return setRunId(reply.runId);
    toast(of.done(reply as never));
    onClose();
    await refresh();
  };
  const ended = async (why?: string) => {
    setRunId(undefined);
    if (why) return setFailed(why);
    onClose();
    await refresh();
  };
  const faults = async () => {
    const body = new FormData();
    for (const [field, value] of Object.entries(fieldsOf(templateId, look?.draft))) body.set(field, value);
    body.append("file", file!);
    await download(statementFaults, { body } as never);
  };
  return (
    <Drawer
      title={of.title}
      width={960}
      modal
      onClose={onClose}
      footer={
        <Foot cancel={onClose} note={<span className="dim">有一处错误就一行也不导入</span>}>
          <Button look="main" why={runId ? "正在导入" : why} run={take}>
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
            setLook(undefined);
            setFile(undefined);
            setHead([]);
            setChosen(undefined);
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
                why={head.length ? undefined : "请先选择对账单文件"}
                run={() => setMapping(true)}
              >
                设置列对应
              </Button>
            </div>
            <OptionSelect
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
        <Drop
          accept={ACCEPT}
          off={!account || busy || runId !== undefined}
          busy={busy}
          onFiles={([from]) => {
            if (!from) return;
            setMapping(false);
            void read(from);
          }}
        >
          {!account ? "先选择账户" : busy ? `正在读取 ${file?.name ?? ""} …` : (file?.name ?? of.hint)}
        </Drop>
        {failed && (
          <p className="bad" role="alert">
            {failed}
          </p>
        )}
        {runId && <Running id={runId} mode={of.mode} onEnd={ended} />}
        {mapping && head.length > 0 && file && (
          <TemplateForm
            key={template?.id ?? 0}
            accountId={account!}
            head={head}
            base={template}
            reads={(draft) =>
              told !== undefined && !wrong && JSON.stringify(look?.draft) === JSON.stringify(draft)
            }
            tryOut={(draft) => read(file, templateId, draft)}
            onKept={(id) => choose(id ?? BY_ITSELF)}
            onClose={() => setMapping(false)}
          />
        )}
        {told && <Told told={told} wrong={wrong} note={note} setNote={setNote} faults={faults} />}
      </div>
    </Drawer>
  );
}

type ToldProps = {
  told: StatementPreview;
  wrong: string | undefined;
  note: string;
  setNote: (note: string) => void;
  faults: () => Promise<void>;
};
function Told({ told, wrong, note, setNote, faults }: ToldProps) {
  return (
    <>
      {wrong && (
        <p className="bad" role="alert">
          {wrong}
        </p>
      )}
      {!told.refusal && (
        <Facts
          call={previewStatement}
          data={told}
          facts={[
            "format",
            {
              title: "日期",
              show: (t) => (t.dateFrom === t.dateTo ? t.dateFrom : `${t.dateFrom} 至 ${t.dateTo}`),
            },
            {
              title: "笔数",
              show: (t) =>
                t.faultCount
                  ? `${t.lineCount} 行可以读取`
                  : `共 ${t.lineCount} 行，新增 ${t.newCount}，重复 ${t.lineCount - t.newCount}`,
            },
            "sumIn",
            "sumOut",
            "sumFee",
            { title: "编码", show: (t) => t.encoding.toUpperCase() },
          ]}
        />
      )}
      {told.warnings.map((warning) => (
        <label key={warning} className="stack gap-2">
          <span className="bad">{warning}</span>
          <input
            className="inp"
            aria-label="余额不连续，仍要导入的说明"
            placeholder="余额不连续，仍要导入请填写说明（2-200字）"
            maxLength={200}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
      ))}
      {told.faults.length > 0 && (
        <>
          <div className="row between">
            <span className="dim">
              {told.faults.length > SHOWN_FAULTS && `列出前 ${SHOWN_FAULTS} 处，其余见下载的表格`}
            </span>
            <Button run={faults}>下载错误行</Button>
          </div>
          <Faults told={told} />
        </>
      )}
      {!told.refusal && told.faultCount === 0 && <First told={told} />}
    </>
  );
}

const Faults = ({ told }: { told: StatementPreview }) => (
  <div className="box">
    <table className="tbl">
      <thead>
        <tr>
          <th className="num">行</th>
          <th>列</th>
          <th>内容</th>
          <th>原因</th>
        </tr>
      </thead>
      <tbody>
        {told.faults.slice(0, SHOWN_FAULTS).map((fault, i) => (
          <tr key={i}>
            <td className="num">{fault.line}</td>
            <td>{fault.column || "—"}</td>
            <td className="cut">{fault.content}</td>
            <td className="bad">{fault.reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Its first lines as they were read. */
const First = ({ told }: { told: StatementPreview }) => (
  <div className="scroll-x">
    <table className="tbl tbl--flat">
      <thead>
        <tr>
          <th className="num">行</th>
          <th>时间</th>
          <th className="num">收入</th>
          <th className="num">支出</th>
          <th className="num">手续费</th>
          <th>单号</th>
          <th>对方</th>
          <th>摘要</th>
          {told.head.length > 0 && <th>原文</th>}
        </tr>
      </thead>
      <tbody>
        {told.first.map((line) => (
          <tr key={line.lineNo} title={line.raw}>
            <td className="num">{line.lineNo}</td>
            <td>{line.occurredAt}</td>
            <td className="num">{line.direction === "in" && <Money fen={line.amount} />}</td>
            <td className="num">{line.direction === "out" && <Money fen={line.amount} />}</td>
            <td className="num">
              <Money fen={line.fee} />
            </td>
            <td>{line.number}</td>
            <td>{line.counter}</td>
            <td>{line.summary}</td>
            {told.head.length > 0 && <td className="dim fs-12">{line.raw}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
