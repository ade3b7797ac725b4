import { useId } from "react";
import type { Wire } from "../../../platform/console/calls/request.ts";
import { sendWithProgress, shrunk } from "../../../platform/console/files/sending.ts";
import { Icon, type IconName } from "../../../platform/console/parts/icons.tsx";
import { imageKind } from "../../../platform/kernel/texts/image.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { PURPOSES, bytesOf, type PurposeName } from "../file/purposes.rules.ts";
import { capOf, kindsOf } from "./ticket.rules.ts";

const SEND: Wire = { method: "POST", path: "/system/api/v3/upload/ticket/:token", timeout: 300_000 };

/** A file on its way; what a page before this one has sent comes without its bytes. */
export type Sending = {
  key: number;
  name: string;
  file?: File;
  /** How much of it is under way, 0 to 1. */
  part: number;
  done: boolean;
  error?: string | undefined;
  /** It will be refused again: another one must be chosen. */
  final?: boolean;
};

const isPdf = async (file: File) => (await file.slice(0, 5).text()) === "%PDF-";

/** The file as the field takes it, a large picture made smaller. Refuses what it will never take. */
export async function fitted(file: File, purpose: PurposeName): Promise<File> {
  const no = (msg: string) => invalid({ field: "file", msg });
  const most = bytesOf(capOf(purpose));
  const kind = imageKind(new Uint8Array(await file.slice(0, 8).arrayBuffer()));
  if (!kind) {
    if (!kindsOf(purpose).includes("pdf") || !(await isPdf(file))) throw no(PURPOSES[purpose].wanted);
    if (file.size > most) throw no(`文件大小不能超过${capOf(purpose)}`);
    return file;
  }
  const small = await shrunk(file, most);
  if (!small) throw no(`图片大小不能超过${capOf(purpose)}`);
  // cameras of some phones name their pictures without an ending
  const named = /\.(jpe?g|png)$/i.test(small.name);
  return named
    ? small
    : new File([small], `${small.name}.${kind === "png" ? "png" : "jpg"}`, { type: small.type });
}

export const send = (token: string, file: File, told: (part: number) => void): Promise<unknown> =>
  sendWithProgress(SEND, { token }, file, told);

export function SendingRow({ row, retry, remove }: { row: Sending; retry: () => void; remove: () => void }) {
  const percent = Math.round(row.part * 100);
  return (
    <li className={`send__row ${row.error ? "send__row--bad" : ""}`}>
      <Icon name={row.done ? "check" : row.error ? "warn" : "image"} />
      <span className="send__name stack gap-2 grow">
        <span className="cut">{row.name}</span>
        {row.error && <small role="alert">{row.error}</small>}
        {!row.done && !row.error && (
          <span
            className="send__bar"
            role="progressbar"
            aria-label={`${row.name} 上传进度`}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <i style={{ width: `${percent}%` }} />
          </span>
        )}
      </span>
      {row.done && <small className="good">已上传</small>}
      {!row.done && !row.error && <small className="dim">{percent}%</small>}
      {row.error && !row.final && (
        <button type="button" className="btn btn--sm" onClick={retry}>
          重试
        </button>
      )}
      {row.error && (
        <button type="button" className="ib" aria-label={`移除 ${row.name}`} onClick={remove}>
          <Icon name="close" size={12} />
        </button>
      )}
    </li>
  );
}

const PICTURES = "image/jpeg,image/png";

type ChooserProps = { purpose: PurposeName; left: number; onFiles: (files: readonly File[]) => void };

/** Two ways to a picture: the camera, or what the phone has already. */
export function Chooser({ purpose, left, onFiles }: ChooserProps) {
  const papers = kindsOf(purpose).includes("pdf");
  const off = left <= 0;
  return (
    <>
      <div className="send__ways grid gap-6">
        <Way icon="image" label="拍照" accept={PICTURES} camera off={off} onFiles={onFiles} />
        <Way
          icon={papers ? "file" : "image"}
          label={papers ? "选择图片或PDF" : "从相册选择"}
          accept={papers ? `${PICTURES},application/pdf` : PICTURES}
          many={left > 1}
          off={off}
          onFiles={onFiles}
        />
      </div>
      <p className="send__hint dim">
        {off
          ? "已达上限，请点“完成”"
          : `支持 jpg、jpeg、png${papers ? "、pdf" : ""}，每个不超过 ${capOf(purpose)}，更大的图片会自动缩小`}
      </p>
    </>
  );
}

type WayProps = {
  icon: IconName;
  label: string;
  accept: string;
  camera?: boolean;
  many?: boolean;
  off: boolean;
  onFiles: (files: readonly File[]) => void;
};

function Way({ icon, label, accept, camera, many, off, onFiles }: WayProps) {
  const id = useId();
  return (
    <div className="send__way">
      <input
        id={id}
        className="sr"
        type="file"
        accept={accept}
        capture={camera ? "environment" : undefined}
        multiple={many}
        disabled={off}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <label htmlFor={id} aria-disabled={off || undefined}>
        <Icon name={icon} size={20} />
        {label}
      </label>
    </div>
  );
}
