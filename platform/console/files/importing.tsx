import { useState, type ReactNode } from "react";
import type { Call, Reply } from "../../kernel/call.ts";
import type { SheetMapping } from "../../kernel/fields/sheet-mapping.ts";
import type { WrongCell } from "../../kernel/fields/wrong-cells.ts";
import { freshKey, useRefresh } from "../calls/mutation.ts";
import { ImportRecords, type UndoSays } from "./batches.tsx";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icons.tsx";
import { download, sendWire } from "../calls/request.ts";
import { toast } from "../parts/toast.ts";
import { Underline } from "../parts/underline.tsx";
import { FormAlert } from "../form/form-alert.tsx";
import { Foot } from "../form/form-foot.tsx";
import { SheetDrop, useChecking, WrongCells } from "./checking.tsx";
import { SheetColumns } from "./sheet-columns.tsx";

/** The calls of an importer. Those that keep a list of batches show it beside the upload. */
export type ImportWires<G extends Call = Call, M extends Call = Call> = {
  /** Answers the empty spreadsheet. */
  template: Call;
  /** Takes the file, changes nothing, answers the id of its batch. */
  check: Call;
  /** What was found in it. */
  get: G;
  /** The file with its wrong cells marked. */
  errorFile: Call;
  /** Says which of its columns a file with headings of its own is read from. */
  columns: Call;
  /** Imports all rows or none. */
  commit: M;
  list?: Call;
  undo?: Call;
};
/** What every batch answers; its own figures come along. */
type Found = {
  id: number;
  version: number;
  rowCount: number;
  errorCount: number;
  errors: WrongCell[];
  mapping: SheetMapping | null;
};
type Total = { title: string; text: string };

type Props<G extends Call, M extends Call> = {
  title: string;
  calls: ImportWires<G, M>;
  /** What the template is to be filled for, such as a year. */
  templateQuery?: Record<string, string>;
  /** Totals to compare with the spreadsheet. */
  totals?: (batch: Reply<G>) => Total[];
  /** What must be chosen before a file: inputs of one's own, and the sentence while they are empty. */
  children?: ReactNode;
  notYet?: string | undefined;
  /** Extra form fields of the check, such as the village. */
  fields?: Record<string, string>;
  hint?: string;
  /** What going back on an earlier import does, as the question before it. */
  undoSays?: UndoSays;
  onClose: () => void;
  /** Gets what was taken, with the version that an undo needs. */
  onDone?: (done: Reply<M> & { version: number }) => void;
};

/** A new file, or the files that were imported before. */
export function ImportDialog<G extends Call, M extends Call>(p: Props<G, M>) {
  const [past, setPast] = useState(false);
  const fresh = useNewImport(p);
  const { list, undo, errorFile } = p.calls;
  const records = list && undo && { list, undo, errorFile };
  return (
    <Dialog
      title={p.title}
      width={past ? 1080 : 640}
      footer={past ? undefined : fresh.footer}
      onClose={p.onClose}
    >
      <div className="importing">
        {records && (
          <Underline
            small
            label={p.title}
            items={[
              { key: "new", title: "导入文件" },
              { key: "past", title: "导入记录" },
            ]}
            on={past ? "past" : "new"}
            onChange={(key) => setPast(key === "past")}
          />
        )}
        {past && records ? <ImportRecords {...records} undoSays={p.undoSays} /> : fresh.body}
      </div>
    </Dialog>
  );
}

/** Template, file, every wrong row by row and column, then all or nothing. */
function useNewImport<G extends Call, M extends Call>({ calls, ...p }: Props<G, M>) {
  const refresh = useRefresh();
  const [file, setFile] = useState<File>();
  const [found, setFound] = useState<Found>();
  const [key] = useState(freshKey);
  const { name: busy, failed, check } = useChecking(calls.check);
  const look = async (id: number) => setFound(await sendWire<Found>(calls.get, { params: { id } }));
  const take = (picked: File) => {
    setFile(picked);
    setFound(undefined);
    return check(picked, p.fields, look);
  };
  const commit = async () => {
    const { id, version, rowCount } = found!;
    const reply = await sendWire<Reply<M>>(
      calls.commit,
      { params: { id }, body: { version } },
      { idempotencyKey: `${key}-${id}` },
    );
    toast(`已导入 ${rowCount} 行`);
    p.onDone?.({ version: version + 1, ...(reply as object) } as Reply<M> & { version: number });
    p.onClose();
    await refresh();
  };
  // until somebody has said what its columns are, nothing can be wrong in them
  const asked = found?.mapping?.confirmed === false;
  const wrong = found?.errors.length ?? 0;
  const right = found && !wrong;
  const why = p.notYet
    ? p.notYet
    : busy
      ? "正在检查文件"
      : !found
        ? "请先选择文件"
        : asked
          ? "请先核对文件的列"
          : wrong
            ? "请先改正文件中的错误"
            : found.rowCount === 0
              ? "文件中没有数据"
              : undefined;
  const footer = (
    <Foot cancel={p.onClose}>
      <Button look="main" why={why} run={commit}>
        确认导入{right && found.rowCount > 0 ? ` ${found.rowCount} 行` : ""}
      </Button>
    </Foot>
  );
  const body = (
    <>
      <p className="row">
        <Button
          icon="download"
          size="sm"
          run={() => download(calls.template, { query: p.templateQuery ?? {} } as never)}
        >
          下载模板
        </Button>
        <span className="dim">
          {p.hint ?? "按模板填写 .xlsx，或用自己的表格并指明各列，最多 5,000 行、10M；有错误时不导入任何一行"}
        </span>
      </p>
      {p.children}
      <SheetDrop
        text={file ? file.name : "点击选择 .xlsx 文件"}
        off={p.notYet}
        busy={busy && "正在检查…"}
        onFile={take}
      />
      <FormAlert text={failed} />
      {found?.mapping && (
        <SheetColumns
          key={found.id}
          mapping={found.mapping}
          call={calls.columns}
          id={found.id}
          onMapped={() => look(found.id)}
        />
      )}
      {right && (
        <p className="explain__same">
          <Icon name="check" size={14} />共 {found.rowCount} 行，没有发现错误
          {p.totals?.(found as Reply<G>).map((t) => `，${t.title} ${t.text}`)}
        </p>
      )}
      {found && wrong > 0 && !asked && (
        <Errors
          found={found}
          marked={() => download(calls.errorFile, { params: { id: found.id } } as never)}
        />
      )}
    </>
  );
  return { body, footer };
}

const SHOWN = 200;

const Errors = ({ found, marked }: { found: Found; marked: () => unknown }) => (
  <>
    <p className="form__note">
      共 {found.rowCount} 行，{found.errorCount} 处错误{" "}
      <Button size="sm" icon="download" run={marked}>
        下载错误文件
      </Button>
    </p>
    <WrongCells
      errors={found.errors}
      columns={["row", "place", "told"]}
      most={SHOWN}
      className="importing__errors"
    />
    {found.errors.length > SHOWN && <p className="dim">只列出前 {SHOWN} 处</p>}
  </>
);
