import { Arriving } from "../screens/arriving.tsx";
import { lazily } from "../screens/load.tsx";
import { useId, useRef, useState } from "react";
import type { Call } from "../../kernel/call.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { sentence } from "../calls/failure.ts";
import { Icon } from "../parts/icons.tsx";
import type { InputProps } from "../inputs/inputs.tsx";
import { fetchFile, upload } from "../calls/request.ts";
import { Drop } from "./drop.tsx";

/** A stored file as calls carry it. */
export type FileRef = { id: number; name: string; size?: number; type?: string };

type Props = InputProps<FileRef[]> & {
  /** Takes one file and answers its FileRef. */
  call: Call;
  /** What the file is for; the server judges kind and size by it. */
  purpose?: string;
  /** Such as ".jpg,.jpeg,.png". */
  accept?: string;
  /** Largest file in bytes; default the call's own. */
  maxBytes?: number;
  maxFiles?: number;
  hint?: string;
};

type Going = { key: number; name: string; error?: string };

const sizeText = (bytes: number) =>
  bytes >= 1_048_576 ? `${(bytes / 1_048_576).toFixed(1)}M` : `${Math.max(1, Math.round(bytes / 1024))}K`;

const fits = (name: string, accept: string | undefined) =>
  !accept || accept.split(",").some((end) => name.toLowerCase().endsWith(end.trim().toLowerCase()));

const PhoneUpload = lazily(() => import("./phone-upload.tsx"));

/** What a phone may send in place of this call: none where it brings no picture, or keeps its files in its own way. */
const byPhone = (call: Call, purpose: string | undefined, accept: string | undefined) => {
  const named = /^\/system\/api\/v3\/upload(?:\/(\w+))?$/.exec(call.path);
  return named && (accept ?? ".jpg").includes(".jpg") ? (purpose ?? named[1] ?? "paper10M") : undefined;
};

/** Files by click, drop or phone. Checked here for kind and size, and by content on the server. */
export function FileUpload({
  value = [],
  onChange,
  id,
  disabled,
  call,
  purpose,
  accept,
  hint,
  ...limits
}: Props) {
  const own = useId();
  const [going, setGoing] = useState<readonly Going[]>([]);
  const [phone, setPhone] = useState(false);
  // what comes while others are on their way must not replace them
  const latest = useRef(value);
  latest.current = value;
  const maxBytes = limits.maxBytes ?? call.upload?.maxBytes ?? 10_485_760;
  const maxFiles = limits.maxFiles ?? 9;
  const take = async (files: readonly File[]) => {
    const room = maxFiles - value.length;
    const added: FileRef[] = [];
    // what went wrong before is tried again, or given up
    setGoing((all) => all.filter((one) => !one.error));
    for (const [i, file] of files.slice(0, room).entries()) {
      const key = Date.now() + i;
      const wrong = !fits(file.name, accept)
        ? accept?.includes(".jpg")
          ? "请上传图片"
          : `只能上传 ${accept} 文件`
        : file.size > maxBytes
          ? `文件不能超过 ${sizeText(maxBytes)}`
          : undefined;
      setGoing((all) => [...all, { key, name: file.name, ...(wrong && { error: wrong }) }]);
      if (wrong) continue;
      try {
        added.push(
          (await upload(call, { files: [file], ...(purpose && { fields: { purpose } }) })) as FileRef,
        );
        setGoing((all) => all.filter((g) => g.key !== key));
      } catch (error) {
        setGoing((all) => all.map((g) => (g.key === key ? { ...g, error: sentence(error) } : g)));
      }
    }
    if (added.length) onChange([...latest.current, ...added]);
  };
  const sending = byPhone(call, purpose, accept);
  const room = maxFiles - value.length;
  return (
    <div>
      <div className="drop__row">
        <Drop
          id={id ?? own}
          multiple={maxFiles > 1}
          accept={accept}
          off={Boolean(disabled) || value.length >= maxFiles}
          onFiles={take}
        >
          点击或拖入文件
          <span className="dim">
            {" "}
            {hint ??
              [accept?.replaceAll(",", " "), `每个不超过 ${sizeText(maxBytes)}`, `最多 ${maxFiles} 个`]
                .filter(Boolean)
                .join("，")}
          </span>
        </Drop>
        {sending && !disabled && room > 0 && (
          <Button className="drop__phone" icon="code" run={() => setPhone(true)}>
            手机上传
          </Button>
        )}
      </div>
      {phone && sending && (
        <Arriving onClose={() => setPhone(false)}>
          <PhoneUpload
            purpose={sending}
            maxFiles={Math.min(room, 20)}
            field={id ?? own}
            onFiles={(files) => onChange([...latest.current, ...files])}
            onClose={() => setPhone(false)}
          />
        </Arriving>
      )}
      <ul className="files">
        {value.map((file) => (
          <li key={file.id} className="files__one">
            <Icon name={/^image\//.test(file.type ?? "") ? "image" : "file"} size={14} />
            <span className="cut">{file.name}</span>
            {file.size !== undefined && <small className="dim">{sizeText(file.size)}</small>}
            <IconButton
              icon="close"
              size={12}
              small
              label={`移除 ${file.name}`}
              run={() => onChange(value.filter((f) => f.id !== file.id))}
            />
          </li>
        ))}
        {going.map((g) => (
          <li
            key={g.key}
            className={`files__one ${g.error ? "files__one--bad" : ""}`}
            aria-busy={g.error === undefined}
          >
            {g.error ? <Icon name="warn" size={14} /> : <span className="btn__spin" />}
            <span className="cut">{g.name}</span>
            {g.error && <small>{g.error}</small>}
            {g.error && (
              <IconButton
                icon="close"
                size={12}
                small
                label={`移除 ${g.name}`}
                run={() => setGoing((all) => all.filter((o) => o.key !== g.key))}
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Opens a stored file in a new window; it needs the token, so it cannot be a plain link. */
export async function openFile(path: string): Promise<void> {
  const { blob } = await fetchFile({ method: "GET", path });
  const url = URL.createObjectURL(blob);
  open(url, "_blank", "noopener");
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
